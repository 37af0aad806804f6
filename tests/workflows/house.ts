import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAct } from '../../activities/act.js';
import { createAuthorise } from '../../activities/authorise.js';
import { createJudge } from '../../activities/judge.js';
import type { Room } from '../../activities/room.js';
import type { RulingDeps } from '../../activities/ruling.js';
import type { Inverse } from '../../src/domain/proposal.js';
import { createHttpJournal } from '../../src/host/http-journal.js';
import { type Authority, NOBODY } from '../../src/policy/authority.js';
import type { PolicyFile } from '../../src/policy/policy-file.js';
import { type Lamp, lampRoom } from '../activities/toy-room.js';
import { NO_SELF } from '../support/no-self.js';
import { type AllActivities, activityDoubles, noCounts } from './ticket-double.js';

/**
 * One lamp, under the names that the doubles' reasoner uses. Policy, authority, judging, weighing and acting are the
 * real ones, on a real host with its journal; the rest of the ticket's activities are doubles.
 */
export interface House {
  readonly lamp: Lamp;
  readonly activities: AllActivities;
  policy: PolicyFile;
  authority: Authority;
  /** How the one action is taken back. */
  inverse: Inverse;
  /** Whether the desk lets anything act. */
  gateIsOpen: boolean;
  /** By how much the clock of its activities is ahead. */
  aheadMs: number;
  /** Commands that ran. */
  ran(): number;
  close(): void;
}

const AGENT = {
  name: 'on-call-triage',
  version: 1,
  sha256: 'x',
  subject: 'tikv',
  actions: ['start-store'],
  looks: { apis: [], programs: [] },
  limits: { turns: 9, looks: 9, acts: 9, tokens: 9, usd: 9, wallMs: 9 },
  runbook: '',
};

const RESTORATIVE: Inverse = { kind: 'none', why: 'light harms nobody' };

export function openHouse(): House {
  const folder = mkdtempSync(join(tmpdir(), 'medic-house-'));
  writeFileSync(join(folder, 'switch'), `#!/bin/sh\necho "$@" >> ${join(folder, 'ran')}\n`);
  chmodSync(join(folder, 'switch'), 0o755);
  const lamp: Lamp = { on: false, serial: 's1' };
  const house: House = {
    lamp,
    activities: activityDoubles(noCounts()),
    policy: { version: 1, environment: 'prod', autonomy: 'playbooks', preApproved: [] },
    authority: NOBODY,
    inverse: RESTORATIVE,
    gateIsOpen: true,
    aheadMs: 0,
    ran: () => {
      const file = join(folder, 'ran');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
  furnish(house, folder);
  return house;
}

function furnish(house: House, folder: string): void {
  const journalDir = join(folder, 'journal');
  const deps: RulingDeps & { rooms: Map<string, Room> } = {
    rooms: new Map([['tikv', roomOf(house, folder)]]),
    desk: { recentRuns: async () => 0 },
    policy: async () => house.policy,
    agent: async () => AGENT,
    authority: async () => house.authority,
    self: NO_SELF,
    now: () => Date.now() + house.aheadMs,
  };
  const { gate } = house.activities;
  Object.assign(house.activities, {
    ...createJudge({ ...deps, onRuling: () => {} }),
    ...createAuthorise(deps),
    ...createAct({ ...deps, journalDir, httpJournal: createHttpJournal({ dir: journalDir, now: Date.now }) }),
    gate: async (request) =>
      house.gateIsOpen ? gate(request) : { granted: false, why: 'frozen', reason: 'tikv is frozen' },
  } satisfies Partial<AllActivities>);
}

function roomOf(house: House, folder: string): Room {
  const room = lampRoom(house.lamp, folder);
  const [switchOn] = room.subject.actions;
  if (!switchOn) throw new Error('the lamp has no switch');
  const action = { ...switchOn, name: 'start-store', inverse: () => house.inverse, timeoutMs: 20_000 };
  const subject = { ...room.subject, name: 'tikv', actions: [action] };
  // Pictures do not get too old for a ruling, however slow the machine is.
  return { ...room, subject, sampling: { ...room.sampling, sampleMs: 10_000 } } as Room;
}
