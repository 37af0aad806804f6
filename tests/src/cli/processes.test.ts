import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { FAULTS } from '../../../chaos/faults.js';
import { createArchive } from '../../../src/evidence/archive.js';
import { packBundle } from '../../../src/evidence/bundle.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { openInstance } from '../../../src/runtime/process/instance.js';
import { archivedKill, KILLED_STORE } from '../../support/killed-store.js';
import { temporaryFolder } from '../runtime/process/temporary.js';

/*
 * The built command line, as a process of its own: what a person or a script gets.
 */

const ROOT = packageRoot();
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const HISTORY = join(ROOT, 'tests', 'histories', 'worker-killed-while-investigating.json');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  program: string,
  args: readonly string[],
  { env = {}, cwd = ROOT }: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

const medic = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => run(process.execPath, [MAIN, ...args], { env });

/** On a terminal of util-linux' `script`: 80 columns wide, as nobody says how many it has. */
const medicOnTerminal = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run('script', ['-qec', [process.execPath, MAIN, ...args].join(' '), '/dev/null'], { env: { TERM: 'xterm', ...env } });

describe('medic as a process', () => {
  /** A home in which nothing runs, with one closed ticket in its archive. */
  let home = '';
  beforeAll(async () => {
    home = temporaryFolder();
    await createArchive({ home }).save(archivedKill({ history: readFileSync(HISTORY, 'utf8') }));
  });

  it('prints its version, also through npx from inside the checkout', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await medic(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const npx = await run('npx', ['--offline', 'medic', '--version'], { cwd: join(ROOT, 'src') });
    expect(npx).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it('gives help on stdout, and a wrong verb or option on stderr with 2', async () => {
    const help = await medic([]);
    expect([help.code, help.stderr, help.stdout.split('\n')[0]]).toEqual([0, '', 'Usage: medic [options] [command]']);
    expect(await medic(['tikets'])).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: "MEDIC_USAGE  unknown command 'tikets'. Did you mean tickets?\n  See `./medic --help`.\n",
    });
    expect(await medic(['demo', '--hom', 'x'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('reads tickets from the archive when nothing runs, as tab-separated values in a pipe, and says so', async () => {
    const { code, stdout, stderr } = await medic(['tickets', '--all', '--home', home]);
    expect([code, stderr]).toEqual([0, `only the archive was read: no Medic runs on ${home}\n`]);
    const rows = stdout.trimEnd().split('\n');
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split('\t')).toEqual([
      'tikv/7',
      'resolved',
      'tikv-0 does not answer on its status port (connection refused)',
      'process-dead/tikv-0 (0.95)',
      expect.stringMatching(/^\d+ d$/),
      '-',
    ]);
  });

  it('shows only open tickets unless asked, and takes the home from MEDIC_HOME', async () => {
    expect(await medic(['tickets'], { MEDIC_HOME: home })).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: expect.stringContaining(`no open ticket; 1 closed: ./medic tickets --all --home ${home}`),
    });
  });

  it.each([
    [['tickets', '--all'], 'tickets', [{ ticket: 'tikv/7', phase: 'resolved' }]],
    [['show', '7'], 'ticket', { ticket: 'tikv/7', board: [{ id: 'H1' }, { id: 'H2' }] }],
  ])('%j --json has the version of its form', async (argv, kind, value) => {
    const { code, stdout } = await medic([...argv, '--json', '--home', home]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ apiVersion: 'medic/v1', kind, value });
  });

  it('tells a closed ticket again: all of it by trail, its story by watch', async () => {
    const trail = await medic(['trail', '7', '--home', home]);
    expect(trail).toMatchObject({ code: 0, stderr: '' });
    expect(trail.stdout).toContain('journal run-1.uuid.1.1');
    for (const line of trail.stdout.trimEnd().split('\n')) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z /);
    const watch = await medic(['watch', KILLED_STORE.id, '--home', home]);
    expect(watch.code).toBe(0);
    expect(watch.stdout).not.toContain('journal');
    expect(watch.stdout).toMatch(/closed {4}resolved by medic\n$/);
  });

  it('replays the archived history of a ticket and narrates it', async () => {
    const { code, stdout, stderr } = await medic(['replay', '7', '--home', home]);
    expect(stdout).toMatch(/^\S+Z ticket {4}tikv\/\d+ filed: /);
    expect(stdout).toContain('●●●●●● healthy 6 of 6; cause gone');
    expect(stderr).toMatch(/^replayed tikv\/7 \(archive\): \d+ events, the code decides as it did\n$/);
    expect(code).toBe(0);
  });

  it('replays no further than the turn that is asked for', async () => {
    const { code, stdout } = await medic(['replay', '7', '--until', '1', '--home', home]);
    expect(code).toBe(0);
    expect(stdout).toContain('e2 lab$ labctl inspect tikv-0');
    expect(stdout).not.toMatch(/proposal|healthy/);
  });

  it('exports a ticket to one file, from which another home can read and replay it', async () => {
    const file = join(temporaryFolder(), 'seven.gz');
    const other = join(temporaryFolder(), 'other');
    expect(await medic(['export', '7', file, '--home', home])).toMatchObject({ code: 0, stdout: `${file}\n` });
    for (let time = 0; time < 2; time += 1)
      expect(await medic(['import', file, '--home', other])).toMatchObject({ code: 0, stdout: 'tikv/7\n' });
    const [there, here] = await Promise.all([other, home].map((from) => medic(['trail', '7', '--home', from])));
    expect(there).toEqual(here);
    expect(await medic(['replay', '7', '--home', other])).toMatchObject({ code: 0 });
  });

  it('imports a later record of the same run, and no earlier one', async () => {
    const [folder, other] = [temporaryFolder(), join(temporaryFolder(), 'other')];
    const end = { ...archivedKill({ history: null }), run: 'run-1' };
    const before = { ...end, phase: 'escalated', closedAt: KILLED_STORE.filedAt } as const;
    const files = await Promise.all(
      [before, end].map(async (archived, i) => {
        const file = join(folder, `${i}.gz`);
        writeFileSync(file, await packBundle({ archived, bodies: new Map(), content: {} }));
        return file;
      }),
    );
    for (const file of files) expect(await medic(['import', file, '--home', other])).toMatchObject({ code: 0 });
    expect(await medic(['import', files[0] ?? '', '--home', other])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^MEDIC_IMPORT_EXISTS {2}\S+ has a later record of tikv\/7 \(resolved\)\n/),
    });
  });

  it('imports nothing over a ticket of the home, and nothing that is no export', async () => {
    const [file, own] = [join(temporaryFolder(), 'seven.gz'), temporaryFolder()];
    await medic(['export', '7', file, '--home', home]);
    await createArchive({ home: own }).save({ ...archivedKill({ history: null }), run: 'of its own' });
    expect(await medic(['import', file, '--home', own])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^MEDIC_IMPORT_EXISTS {2}\S+ has a ticket tikv\/7 of its own\n/),
    });
    expect(await medic(['import', 'README.md', '--home', own])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^MEDIC_BUNDLE_UNREADABLE {2}README\.md: it is none\n/),
    });
  });

  it.each([
    ['README.md', 'README.md: it is no JSON'],
    ['src', '`src` is no file and no ticket id'],
  ])('refuses to replay %s, which is no history', async (what, words) => {
    expect(await medic(['replay', what, '--home', home])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `MEDIC_HISTORY_UNREADABLE  ${words}\n  Pass a JSON history or a ticket id.\n`,
    });
  });

  it('does not know a ticket that is in no archive, and does not wait for it either', async () => {
    const stderr =
      `MEDIC_TICKET_UNKNOWN  there is no ticket tikv/9; only the archive of ${home} was read: no Medic runs on ${home}\n` +
      '  List them with `./medic tickets`.\n';
    for (const verb of ['show', 'watch', 'trail'])
      expect(await medic([verb, '9', '--home', home])).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each([[['approve', '7', '--reason', 'x']], [['freeze', '--reason', 'x']]])(
    'cannot say %j where nothing runs: 4',
    async (argv) => {
      expect(await medic([...argv, '--home', home])).toEqual({
        ...{ code: 4, stdout: '' },
        stderr: `MEDIC_INSTANCE_NOT_RUNNING  no Medic runs on ${home}\n  Start one with \`./medic up\`.\n`,
      });
    },
  );

  it('has nothing to mend in doctor where nothing runs, and 3 where the home cannot be', async () => {
    const { code, stdout } = await medic(['doctor', '--home', home]);
    const states = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t').slice(0, 2).join(' '));
    expect(states).toEqual([
      ...['node ok', 'build ok', 'temporal cli ok', 'home ok', 'policy ok', 'budget ok', 'agent ok'],
      ...['evidence store ok', 'models ok', 'prompt ok', 'model key ok'],
      'instance not running',
    ]);
    expect(code).toBe(0);
    const below = await medic(['doctor', '--home', join(ROOT, 'README.md', 'x')]);
    expect([below.code, below.stdout]).toEqual([3, expect.stringContaining('home\tfix\tMEDIC_HOME_UNWRITABLE')]);
  });

  it('leaves a lab alone that Medic did not make', async () => {
    const foreign = temporaryFolder();
    mkdirSync(join(foreign, 'lab'));
    writeFileSync(join(foreign, 'lab', 'lab.json'), '{"token": "guessed"}');
    expect(await medic(['chaos', 'inject', 'node_kill', '--home', foreign])).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringMatching(/^MEDIC_CHAOS_NOT_OURS {2}.*\n {2}Start one with `\.\/medic lab up`\.\n$/),
    });
    expect(readdirSync(join(foreign, 'lab'))).toEqual(['lab.json']);
    expect((await medic(['lab', 'status', '--home', temporaryFolder()])).code).toBe(4);
  });

  it('lists the faults, and refuses one that does not exist', async () => {
    expect((await medic(['chaos', 'list', '--home', home])).stdout).toMatch(/^node_kill\tstore\t/);
    expect(await medic(['chaos', 'truth', 'node_kill-0', '--home', home])).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('no injection node_kill-0 is recorded') },
    });
    expect(await medic(['demo', '--fault', 'nodekill', '--home', home])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr:
        `MEDIC_CHAOS_UNKNOWN_FAULT  there is no fault nodekill; there are ${FAULTS.map(({ name }) => name).join(', ')}\n` +
        '  List them with `./medic chaos list`.\n',
    });
  });

  it('asks for a key and a price before anything is started when a model is to reason', async () => {
    const without = await run(process.execPath, [MAIN, 'demo', '--reasoner', 'claude']);
    expect([without.code, without.stderr.split('  ')[0]]).toEqual([1, 'MEDIC_MODEL_KEY_MISSING']);
    const unknown = await run(process.execPath, [MAIN, 'demo', '--reasoner', 'claude:gpt-9'], {
      env: { ANTHROPIC_API_KEY: 'k' },
    });
    expect([unknown.code, unknown.stderr.split('  ')[0]]).toEqual([1, 'MEDIC_MODEL_UNKNOWN']);
    expect(unknown.stderr).toContain('claude-sonnet-5-5');
  });

  it('refuses a summary that cannot be written before anything is started', async () => {
    const summary = join(home, 'none', 's.json');
    expect(await medic(['demo', '--home', home, '--summary', summary])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `MEDIC_SUMMARY_UNWRITABLE  cannot write ${summary} (ENOENT)\n  Pass a writable --summary.\n`,
    });
    expect(existsSync(join(home, 'demo'))).toBe(false);
  });

  it('starts no second time on the same home, and leaves the first one’s files alone', async () => {
    const held = temporaryFolder();
    mkdirSync(join(held, 'demo'));
    const instance = openInstance({ home: held });
    try {
      for (const verb of ['demo', 'up'])
        expect(await medic([verb, '--home', held])).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            `^MEDIC_INSTANCE_RUNNING  a Medic runs on ${held} already \\(pid ${process.pid}, since .*\\)\n  Use its verbs, stop it, or pass another --home\\.\n$`,
          ),
        });
      expect(existsSync(join(held, 'demo'))).toBe(true);
    } finally {
      instance.close();
    }
  });

  it('stops quietly when the reader of its pipe goes away', async () => {
    const line = `${process.execPath} ${MAIN} trail 7 --home ${home} | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await run('bash', ['-c', line]);
    expect([stdout.trimEnd().split('\n').at(-1), stderr]).toEqual(['0', '']);
  });
});

describe('medic on a terminal', () => {
  let home = '';
  beforeAll(async () => {
    home = temporaryFolder();
    await createArchive({ home }).save(archivedKill());
  });

  it('shows tables under heads, in colour', async () => {
    const { code, stdout } = await medicOnTerminal(['tickets', '--all', '--home', home]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\u001b\[1mTICKET {2}PHASE {5}SYMPTOM/);
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('shows them without colour under %j', async (env) => {
    const { stdout } = await medicOnTerminal(['tickets', '--all', '--home', home], env);
    const [head = '', row = ''] = stdout.split('\r\n');
    expect(head).toMatch(/^TICKET {2}PHASE {5}SYMPTOM/);
    expect(row).toMatch(/^tikv\/7 {2}resolved {2}tikv-0 .*… {2}process-dead\/tikv-0 \(0\.95\)/);
    expect(row.length).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain('\u001b');
  });

  it('tells times since the start at the right, not ISO times', async () => {
    const { stdout } = await medicOnTerminal(['watch', '7', '--home', home], { NO_COLOR: '1' });
    expect(stdout).toMatch(/^ticket {4}tikv\/7 filed: .* t\+0\.0\r\n/);
    for (const line of stdout.split('\r\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});
