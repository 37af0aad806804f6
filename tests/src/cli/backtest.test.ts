import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type BacktestOptions, backtest } from '../../../src/cli/backtest.js';
import { ticketId } from '../../../src/domain/ids.js';
import { createArchive } from '../../../src/evidence/archive.js';
import { packBundle } from '../../../src/evidence/bundle.js';
import { createFileStore } from '../../../src/evidence/file-store.js';
import { contentFiles } from '../../../src/runtime/content.js';
import { workflowBundlePath } from '../../../src/runtime/replay.js';
import { createSandboxes } from '../../../src/runtime/whatif/sandbox.js';
import { type KilledRecord, killedRecord } from '../../support/killed-record.js';
import { archivedKill } from '../../support/killed-store.js';
import { withHome } from '../evidence/home.js';
import { paper } from './paper.js';

let record: KilledRecord;
beforeAll(async () => {
  const sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  record = await killedRecord(sandboxes).finally(() => sandboxes.close());
}, 60_000);

const { policyFile, systemPromptFile } = contentFiles();

/** The ticket under another number, with the history that calls itself so. */
function numbered(number: number) {
  const id = ticketId('tikv', number);
  const kill = archivedKill({ history: renamed(number) });
  return { ...kill, ticket: { ...kill.ticket, id } };
}

function renamed(number: number): string {
  const history = JSON.parse(record.history);
  const [payload] = history.events[0].workflowExecutionStartedEventAttributes.input.payloads;
  const input = JSON.parse(Buffer.from(payload.data, 'base64').toString());
  input.filing.id = `tikv/${number}`;
  payload.data = Buffer.from(JSON.stringify(input)).toString('base64');
  return JSON.stringify(history);
}

interface Kept {
  readonly numbers: readonly number[];
  readonly hasBodies?: boolean;
}

const withArchive = (kept: Kept, work: (home: string) => Promise<void>) =>
  withHome(async (home) => {
    for (const number of kept.numbers) await createArchive({ home }).save(numbered(number));
    const store = createFileStore({ home });
    if (kept.hasBodies !== false) for (const body of record.bodies.values()) await store.put(body);
    await work(home);
  });

async function tested(home: string, part: Partial<BacktestOptions>, files: readonly string[] = []) {
  const { screen, out, err } = paper();
  const code = await backtest(files, { home, ceiling: 1, ...part }, screen);
  return { code, rows: out().map((line) => line.split('\t')), err: err() };
}

const strict = async (home: string): Promise<string> => {
  const file = join(home, 'strict.yaml');
  await writeFile(file, 'version: 1\nenvironment: lab\nautonomy: playbooks\npreApproved: []\n');
  return file;
};

describe('medic backtest --policy', () => {
  it('lists the rulings that would have been others, over the archive and over files', () =>
    withArchive({ numbers: [1] }, async (home) => {
      const file = join(home, 'other.medic.gz');
      await writeFile(file, await packBundle({ archived: numbered(7), bodies: record.bodies, content: {} }));
      const { code, rows, err } = await tested(home, { policy: await strict(home) }, [file]);
      const why = 'policy lab does not pre-approve start-store for on-call-triage';
      expect(rows).toEqual([
        ['tikv/1', '2', '#1', 'pre-approved', 'needs-approval', why],
        [`tikv/7 (${file})`, '2', '#1', 'pre-approved', 'needs-approval', why],
      ]);
      expect(code).toBe(3);
      expect(err).toEqual(['2 decisions of 2 tickets: 2 would change, 0 cannot be told, 0 stay; 0.0000 $']);
    }));

  it('ends with 0 where every ruling stays, and counts the rate over all archived tickets', () =>
    withArchive({ numbers: [1, 2] }, async (home) => {
      const { code, rows, err } = await tested(home, { policy: policyFile });
      expect({ code, rows }).toEqual({ code: 0, rows: [] });
      expect(err[0]).toContain('2 decisions of 2 tickets: 0 would change');
    }));

  it('cannot tell what the archive has no facts of, and says which', () =>
    withArchive({ numbers: [3] }, async (home) => {
      const { code, rows } = await tested(home, { policy: policyFile });
      expect(code).toBe(0);
      expect(rows.map((row) => row.slice(3))).toEqual([
        [
          'pre-approved',
          'cannot tell',
          'pre-approved unless its rate was used up: what tikv/1, tikv/2 did is not known here',
        ],
      ]);
    }));

  it('cannot tell without the picture', () =>
    withArchive({ numbers: [1], hasBodies: false }, async (home) => {
      const { rows } = await tested(home, { policy: await strict(home) });
      expect(rows[0]?.slice(4)).toEqual(['cannot tell', 'the picture that it was ruled on is not in the archive']);
    }));

  it('needs one of policy and prompt, and a file that is there', () =>
    withArchive({ numbers: [] }, async (home) => {
      await expect(tested(home, {})).rejects.toMatchObject({ code: 'MEDIC_USAGE' });
      const missing = tested(home, { policy: policyFile }, [join(home, 'none.gz')]);
      await expect(missing).rejects.toMatchObject({ code: 'MEDIC_BUNDLE_UNREADABLE' });
    }));
});

describe('medic backtest --prompt', () => {
  it('says of what rules thought that no prompt had a part in it, and costs nothing', () =>
    withArchive({ numbers: [1] }, async (home) => {
      const prompt = join(home, 'system.md');
      await writeFile(prompt, `${await readFile(systemPromptFile, 'utf8')}\nBe brief.\n`);
      const { code, rows, err } = await tested(home, { prompt });
      expect(code).toBe(0);
      expect(rows.map(([, turn, , , now, why]) => [turn, now, why])).toEqual([
        ['1', 'cannot tell', 'rules thought it, not a prompt'],
        ['2', 'cannot tell', 'rules thought it, not a prompt'],
      ]);
      expect(err[0]).toMatch(/2 cannot be told, 0 stay; 0\.0000 \$$/);
    }));
});
