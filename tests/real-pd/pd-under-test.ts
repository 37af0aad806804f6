import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../subjects/tikv/lab/assets.js';
import { freePorts } from '../subjects/tikv/lab/store/store-processes.js';

/** One PD as a process: the stand-in, or the program that `PD_SERVER` names. */
export interface PdUnderTest {
  readonly kind: 'stand-in' | 'real';
  /** Its client URL. */
  readonly url: string;
  /** The end of what it printed, for messages. */
  tail(): string;
  stop(): Promise<void>;
}

/** What `PD_SERVER` makes of these tests. */
export const PD_KIND: PdUnderTest['kind'] = (process.env.PD_SERVER ?? '') === '' ? 'stand-in' : 'real';

const STAND_IN = join(packageRoot(import.meta.dirname), 'dist/subjects/tikv/lab/pd/main.js');
const TAIL = 2_000;

/** Starts it on loopback with an empty folder; it may not answer yet. Throws when its program is not there. */
export async function startPdUnderTest(): Promise<PdUnderTest> {
  const program = process.env.PD_SERVER ?? '';
  const needed = PD_KIND === 'real' ? program : STAND_IN;
  if (!existsSync(needed)) throw new Error(`${needed} is not there`);
  const dir = mkdtempSync(join(tmpdir(), 'medic-real-pd-'));
  const [client, peer] = (await freePorts(2)).map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const place = { dataDir: join(dir, 'pd-0'), client, peer };
  const child =
    PD_KIND === 'real' ? start(program, realArgs(place)) : start(process.execPath, [STAND_IN, ...standInArgs(place)]);
  let output = '';
  const note = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-TAIL);
  };
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  return {
    kind: PD_KIND,
    url: client,
    tail: () => output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Place {
  readonly dataDir: string;
  readonly client: string;
  readonly peer: string;
}

const start = (program: string, args: readonly string[]): ChildProcess =>
  spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });

/** As a person starts PD v8.5. */
const realArgs = ({ dataDir, client, peer }: Place): string[] => [
  '--name=pd-0',
  `--data-dir=${dataDir}`,
  `--client-urls=${client}`,
  `--peer-urls=${peer}`,
  `--initial-cluster=pd-0=${peer}`,
];

const standInArgs = ({ dataDir, client, peer }: Place): string[] => [
  ...['--name', 'pd-0', '--data-dir', dataDir, '--client-url', client, '--peer-url', peer],
  ...['--initial-cluster', `pd-0=${peer}`, '--initial-clients', `pd-0=${client}`, '--profile', 'fast'],
];
