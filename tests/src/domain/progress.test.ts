import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evidenceId, ticketId } from '../../../src/domain/ids.js';
import {
  GIVE_UP_AFTER,
  MAX_NOTED,
  meaningOf,
  NOTHING_NOTED,
  noteConclusion,
  noteFailedProposal,
  noteLook,
  noteNews,
  noteWorld,
  type Progress,
  TELL_AFTER,
  warningOf,
  whyStuck,
} from '../../../src/domain/progress.js';
import type { ProposalDraft } from '../../../src/domain/proposal.js';
import type { Call } from '../../../src/domain/query.js';
import { openTicket, resumeTicket } from '../../../src/domain/ticket.js';
import { dead, look } from './hypotheses.js';

const shell = (command: string): Call => ({ kind: 'shell', host: 'lab', command });
const get = (path: string): Call => ({ kind: 'http', api: 'pd', method: 'GET', path });
const said = (call: Call, sha256 = 'same') => ({ call, found: look(2, { call, sha256 }) });
const BROKEN = { broken: ['tikv:store-reachable:tikv-2'], unknown: [] };
const start = noteWorld(NOTHING_NOTED, BROKEN);
/** One turn in an unchanged world. */
const turn = (progress: Progress, ...looks: Parameters<typeof noteLook>[1]) =>
  noteLook(noteWorld(progress, BROKEN), looks);
const turns = (...all: readonly Parameters<typeof noteLook>[1][]) =>
  all.reduce((progress, looks) => turn(progress, ...looks), start);

describe('looks', () => {
  it('are progress while something new is asked or something new is answered', () => {
    expect(turns([said(shell('a'))], [said(shell('b'))], [said(shell('a'), 'other')]).idle).toBe(0);
    expect(turns([said(shell('a'))], [said(shell('a')), said(shell('b'))]).idle).toBe(0);
  });

  it('that repeat themselves are none, and neither are looks in turns: A, B, A, B', () => {
    expect(turns([said(shell('a'))], [said(shell('a'))], [said(shell('a'))]).idle).toBe(2);
    const [a, b] = [[said(shell('a'))], [said(shell('b'))]];
    expect(turns(a, b, a, b, a, b).idle).toBe(4);
    expect(
      turns([said(shell('a')), said(shell('b'))], [said(shell('b'))], [said(shell('b')), said(shell('a'))]).idle,
    ).toBe(2);
  });

  it('that get the same failure again, or cannot be asked again, are none', () => {
    const deaf = { call: shell('a'), found: look(2, { exit: null, failure: 'refused' }) };
    const lost = { call: shell('b'), found: null };
    expect(turns([deaf, lost], [deaf, lost]).idle).toBe(1);
    expect(turns([deaf], [said(shell('a'))]).idle).toBe(0);
  });

  it('without a call are none', () => {
    expect(turns([], []).idle).toBe(2);
  });

  it.each<[Call, Call]>([
    [shell(' labctl   ps\t--json'), shell('labctl ps --json ')],
    [get('/pd/api/v1/stores?state=Up&limit=3'), get('/pd/api/v1/stores?limit=3&state=Up')],
    [get('/pd/api/v1/stores?'), get('/pd/api/v1/stores')],
  ])('%j and %j mean the same', (one, other) => {
    expect(meaningOf(one)).toBe(meaningOf(other));
  });

  it.each<[Call, Call]>([
    [shell('labctl ps'), shell('labctl ps --json')],
    [get('/pd/api/v1/Stores'), get('/pd/api/v1/stores')],
    [get('/pd/api/v1/stores?state=Up'), get('/pd/api/v1/stores?state=Down')],
    [get('/a'), { ...get('/a'), node: 'pd-1' } as Call],
  ])('%j and %j do not', (one, other) => {
    expect(meaningOf(one)).not.toBe(meaningOf(other));
  });
});

describe('proposals and conclusions', () => {
  const draft = (command = 'labctl stop tikv-1'): Pick<ProposalDraft, 'title' | 'cause' | 'steps'> => ({
    title: 'stop it',
    cause: dead,
    steps: [{ kind: 'call', describe: 'stop', call: shell(command), target: 'tikv-1' }],
  });

  it('that come back for the same reason are no progress, whatever they are called', () => {
    const once = noteFailedProposal(noteWorld(start, BROKEN), draft(), 'MEDIC_POLICY_QUORUM');
    expect(once.idle).toBe(0);
    const spelled = { ...draft('labctl  stop   tikv-1'), title: 'please' };
    expect(noteFailedProposal(once, spelled, 'MEDIC_POLICY_QUORUM').idle).toBe(1);
    const open = noteFailedProposal(once, draft(), 'H1 is open, not supported');
    expect(open.idle).toBe(0);
    expect(noteFailedProposal(open, draft(), 'H12 is open, not supported').idle).toBe(1);
    expect(noteFailedProposal(once, draft('labctl stop tikv-3'), 'MEDIC_POLICY_QUORUM').idle).toBe(0);
  });

  it('claimed again are no progress, but another claim is', () => {
    const claim = {
      kind: 'conclude',
      conclusion: 'duplicate',
      why: 'x',
      evidence: [],
      of: ticketId('tikv', 1),
    } as const;
    const once = noteConclusion(noteWorld(start, BROKEN), claim);
    expect(noteConclusion(once, { ...claim, why: 'y', evidence: [evidenceId(1)] }).idle).toBe(1);
    expect(noteConclusion(once, { ...claim, of: ticketId('tikv', 2) }).idle).toBe(0);
  });
});

describe('patience', () => {
  const again = [said(shell('a'))];

  it('is no lack of progress while the world moves', () => {
    const before = turns(again, again, again);
    expect(before.idle).toBe(2);
    const moved = noteWorld(before, { broken: [...BROKEN.broken, 'tikv:store-up:tikv-2'], unknown: [] });
    expect(moved.idle).toBe(0);
    expect(noteLook(moved, again).idle).toBe(0);
  });

  it('nor while nothing is broken: the limits of the ticket end that', () => {
    const calm = { broken: [], unknown: ['pd-quorum'] };
    let progress = noteWorld(turns(again), calm);
    for (let i = 0; i < 10; i += 1) progress = noteLook(noteWorld(progress, calm), again);
    expect(progress.idle).toBe(0);
  });
});

describe('a ticket that goes round in circles', () => {
  const idleFor = (count: number) => turns(...Array.from({ length: count + 1 }, () => [said(shell('labctl ps'))]));

  it('is told so once, with what it repeats', () => {
    const [two, three, four] = [idleFor(TELL_AFTER - 1), idleFor(TELL_AFTER), idleFor(TELL_AFTER + 1)];
    expect(warningOf(two, three)).toBe(
      '3 turns in a row brought nothing new: the same look with the same answers: lab$ labctl ps. Ask or propose something else, or hand over: after 6 a person takes over',
    );
    expect(warningOf(three, four)).toBeNull();
    expect(warningOf(idleFor(1), two)).toBeNull();
  });

  it('goes to a person in the end', () => {
    expect(whyStuck(idleFor(GIVE_UP_AFTER - 1))).toBeNull();
    expect(whyStuck(idleFor(GIVE_UP_AFTER))).toBe(
      'no progress: 6 turns in a row brought nothing new: the same look with the same answers: lab$ labctl ps',
    );
  });

  it('begins to count anew after a hint or an act, and still knows what it has seen', () => {
    const hinted = noteNews(idleFor(GIVE_UP_AFTER));
    expect(whyStuck(hinted)).toBeNull();
    expect(turn(hinted, said(shell('labctl ps'))).idle).toBe(1);
  });

  it('is still known as one when the ticket continues as new, also one of an older version', () => {
    const limits = { turns: 30, looks: 60, acts: 4, tokens: 0, usd: 0, wallMs: 1 };
    const filing = {
      id: ticketId('tikv', 1),
      subject: 'tikv',
      at: '',
      violations: [],
      recurrenceOf: null,
      flapping: false,
    };
    const opened = openTicket(filing, { environment: 'lab', agent: 'a', limits, causes: ['process-dead'] });
    const ticket = { ...opened, progress: idleFor(GIVE_UP_AFTER - 1) };
    const carried = resumeTicket(JSON.parse(JSON.stringify(ticket)));
    expect(whyStuck(turn(carried.progress, said(shell('labctl ps'))))).toContain('no progress');
    const { progress: _, causes: __, ...old } = ticket;
    expect(resumeTicket(old)).toMatchObject({ progress: NOTHING_NOTED, causes: [] });
  });

  it('keeps bounded memory however much it is given, and never counts down by repeating (property)', () => {
    const command = fc.integer({ min: 0, max: 400 }).map((n) => said(shell(`look ${n}`)));
    fc.assert(
      fc.property(fc.array(fc.array(command, { minLength: 1, maxLength: 8 }), { maxLength: 80 }), (all) => {
        let progress = start;
        for (const looks of all) {
          const before = turn(progress, ...looks);
          const repeated = turn(before, ...looks);
          expect(repeated.idle).toBe(before.idle + 1);
          expect(repeated.noted.length).toBeLessThanOrEqual(MAX_NOTED);
          expect(JSON.stringify(repeated).length).toBeLessThan(15_000);
          progress = repeated;
        }
      }),
      { numRuns: 30 },
    );
  });
});
