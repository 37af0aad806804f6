import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type WhatIfVerbOptions, whatIfVerb } from '../../../src/cli/whatif.js';
import { instant, ticketId } from '../../../src/domain/ids.js';
import { createArchive } from '../../../src/evidence/archive.js';
import { packBundle } from '../../../src/evidence/bundle.js';
import { createFileStore } from '../../../src/evidence/file-store.js';
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

const NO_APPROVALS = ['version: 1', 'environment: lab', 'autonomy: playbooks', 'preApproved: []', ''].join('\n');

const archived = () => {
  const kill = archivedKill({ history: record.history });
  return { ...kill, ticket: { ...kill.ticket, id: ticketId('tikv', 1) } };
};

/** The ticket and all its evidence in a home, with a policy that approves nothing; its path. */
async function kept(home: string): Promise<string> {
  await createArchive({ home }).save(archived());
  const store = createFileStore({ home });
  for (const body of record.bodies.values()) await store.put(body);
  return strict(home);
}

async function strict(home: string): Promise<string> {
  const policy = join(home, 'strict.yaml');
  await writeFile(policy, NO_APPROVALS);
  return policy;
}

async function asked(home: string, what: string, part: Partial<WhatIfVerbOptions>, columns?: number) {
  const { screen, out, err } = paper({ columns });
  const options = { home, at: 1, set: [], answer: null, ...part };
  const code = await whatIfVerb(what, options, screen);
  return { code, out: out(), err: err() };
}

describe('medic whatif', () => {
  it('tells where another policy parts from the record, from an exported file alone', () =>
    withHome(async (home) => {
      const [file, policy] = [join(home, 'tikv-1.medic.gz'), await strict(home)];
      await writeFile(file, await packBundle({ archived: archived(), bodies: record.bodies, content: {} }));
      const { code, out, err } = await asked(home, file, { policy });
      expect(code).toBe(3);
      expect(out).toContain('parts in turn 2: the ruling on #1');
      expect(out).toContain(
        '  what if   needs-approval: policy lab does not pre-approve start-store for on-call-triage',
      );
      expect(out.filter((line) => line.includes('recorded: lab$ labctl start tikv-0 -> ok (exit 0)'))).toHaveLength(1);
      expect(out.at(-1)).toBe('stops here: #1 waits for an answer: nothing recorded (say --approve or --deny)');
      expect(err).toContain(
        `tikv/1 (${file}) from turn 1: goes another way; nothing was asked of it, and nothing was run`,
      );
    }));

  it('shows both beside each other on a terminal that is wide enough', () =>
    withHome(async (home) => {
      const policy = await kept(home);
      const { code, out } = await asked(home, 'tikv/1', { policy, answer: 'approve' }, 160);
      expect(code).toBe(3);
      const heads = out.find((line) => line.startsWith('RECORDED')) ?? '';
      expect(heads.indexOf('WHAT IF')).toBe(81);
      expect(Math.max(...out.map((line) => line.length))).toBeLessThanOrEqual(160);
      expect(out.at(-1)).toBe('ends resolved');
    }));

  it('fits into a narrow terminal, one story after the other', () =>
    withHome(async (home) => {
      const policy = await kept(home);
      const { out } = await asked(home, 'tikv/1', { policy }, 80);
      expect(out).toEqual(expect.arrayContaining(['RECORDED', 'WHAT IF']));
      // What stands in one word (a path, a hash) is copied from here and stays whole.
      for (const line of out.filter((each) => each.length > 80)) expect(line.trim().split(' ')).toHaveLength(1);
    }));

  it('ends with 0 where nothing changes, and gives all of it as JSON', () =>
    withHome(async (home) => {
      await createArchive({ home }).save(archived());
      const { code, out } = await asked(home, 'tikv/1', { json: true, at: 2 });
      expect(code).toBe(0);
      const { kind, value } = JSON.parse(out.join('\n'));
      expect(kind).toBe('whatif');
      expect(value).toMatchObject({ divergence: null, stopped: null, recorded: [], now: [], usd: 0 });
      expect(value.common[0]).toMatchObject({ type: 'turn', turn: 2 });
      expect(Date.parse(value.common[0].at)).toBeLessThan(Date.parse(instant(Date.now())));
    }));

  it('refuses what is neither a file nor a ticket', () =>
    withHome(async (home) => {
      await expect(asked(home, 'nothing.gz', {})).rejects.toMatchObject({ code: 'MEDIC_HISTORY_UNREADABLE' });
      await expect(asked(home, 'tikv/9', {})).rejects.toMatchObject({
        code: 'MEDIC_TICKET_UNKNOWN',
        message: expect.stringContaining('only the archive of'),
      });
    }));
});
