import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MedicError } from '../domain/errors.js';

export interface Editing {
  /** Its ending tells the editor what it is. */
  readonly name: string;
  readonly text: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Lets a person change a text in VISUAL or EDITOR (else `vi`), which gets the terminal meanwhile.
 *
 * @throws MedicError `MEDIC_EDITOR_FAILED` when it ends otherwise than with 0
 */
export async function editText({ name, text, env }: Editing): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'medic-'));
  try {
    const file = join(folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(env.VISUAL || env.EDITOR || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Through the shell, as git does: the variable may hold options. */
function runEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${editor} "$@"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', (error) => reject(failed(editor, error.message)));
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(failed(editor, signal ? `ended by ${signal}` : `exit ${code}`)),
    );
  });
}

const failed = (editor: string, how: string) => new MedicError('MEDIC_EDITOR_FAILED', `${editor}: ${how}`);
