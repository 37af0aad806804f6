import { describe, expect, it } from '@jest/globals';
import { boardLines, boardOfTurn, confidenceHistory } from '../../../src/domain/board-lines.js';
import { evidenceId, hypothesisId, ticketId } from '../../../src/domain/ids.js';
import { MOVES, type Move } from '../../../src/domain/phases.js';
import { counted, dots, sinceStart, tell } from '../../../src/domain/story.js';
import type { Happening, TrailEvent } from '../../../src/domain/trail.js';
import { BOARDS, PROPOSAL, STORY } from '../../support/killed-store.js';

const told = (happening: Happening) => tell({ seq: 1, at: '2026-01-02T03:04:05.000Z', ...happening });
const moved = (why: Move) =>
  told({ type: 'moved', from: 'investigating', to: MOVES[why].to, why, because: 'so it is' });

describe('the story of a ticket', () => {
  it('says of a normal repair what a person has to follow, and no more', () => {
    const lines = STORY.flatMap((event) => tell(event).lines.map((line) => `${tell(event).tag}: ${line}`));
    expect(lines.filter((line) => !line.startsWith('proof: ●') && !line.startsWith('clear'))).toEqual([
      'ticket: tikv/7 filed: tikv-0 does not answer on its status port (connection refused)',
      'picture: e1 3 of 4 stores Up, PD ok',
      'board: to be tested: process-dead/tikv-0, process-frozen/tikv-0',
      'looks: e2 lab$ labctl inspect tikv-0 -> tikv-0 exited 137, died',
      'looks: e3 lab$ labctl logs tikv-0 -> no line',
      'picture: e4 3 of 4 stores Up, PD ok',
      'board: H1 process-dead/tikv-0    0.30 → 0.95  supported  for e2 e3  against -: the host shows tikv-0 exited 137, died',
      'board: H2 process-frozen/tikv-0  0.30 → 0.02  refuted by e2: there is no process to be frozen',
      'plan #1: start the store tikv-0',
      'plan #1: test: e2; would have refuted it: a process that runs',
      'plan #1: weighed: process-frozen/tikv-0: refuted, there is no process to be frozen',
      'plan #1: step 1: lab$ labctl start tikv-0 (undo: none, restorative: it takes nothing away)',
      'plan #1: effect: tikv-0 runs again',
      'plan #1: risk: none for the others',
      'ruling: pre-approved: policy lab pre-approves start-store',
      'ruling: quorum: tightest group region-10: 2 of 3 live, 2 needed',
      'act: lab$ labctl start tikv-0 -> ok (exit 0)',
      'proof: ○○○○○○ broken: store-up tikv-0, regions-no-pending-peer; the cause is not gone',
      'proof: ○○○○○○ broken: store-up tikv-0, regions-no-pending-peer; the cause is not gone',
      'proof: healthy 6 of 6; cause gone (after 11.4 s)',
      'closed: resolved by medic',
    ]);
  });

  it('keeps for the whole record what it leaves out live', () => {
    const details = STORY.flatMap((event) => tell(event).details);
    for (const detail of [
      'tikv-0: exited 137, died',
      'why: to tell apart',
      'rules, 0 $, next: propose',
      'basis cafe',
      'open: lease on tikv-0',
      'journal run-1.uuid.1.1',
      'PD calls tikv-0 Disconnected',
      'run run-1',
      'verifying -> resolved: healthy 6 of 6; cause gone',
    ])
      expect(details).toContain(detail);
  });

  it('tells each move, live only those that nothing else explains', () => {
    const live = (Object.keys(MOVES) as Move[]).filter((why) => moved(why).lines.length > 0);
    expect(live.sort()).toEqual(
      [
        'askedAgain',
        'basisChanged',
        'expired',
        'interrupted',
        'notBetter',
        'notRun',
        'selfCleared',
        'undone',
        'worse',
      ].sort(),
    );
    for (const why of Object.keys(MOVES) as Move[]) {
      const { lines, details } = moved(why);
      expect([...lines, ...details]).toEqual([`investigating -> ${MOVES[why].to}: so it is`]);
    }
  });

  it.each<[Happening, string, readonly string[]]>([
    [
      { type: 'filed', ticket: ticketId('tikv', 8), violations: [], recurrenceOf: ticketId('tikv', 7) },
      'ticket',
      ['tikv/8 filed: ', 'a recurrence of tikv/7'],
    ],
    [{ type: 'returned', missing: ['no look could refute it'] }, 'back', ['not well founded: no look could refute it']],
    [
      { type: 'returned', about: 'hypothesis', missing: ['e9 is missing'] },
      'back',
      ['not put on the board: e9 is missing'],
    ],
    [{ type: 'returned', about: 'conclusion', missing: ['it is critical'] }, 'back', ['not concluded: it is critical']],
    [{ type: 'returned', about: 'repetition', missing: ['3 turns'] }, 'back', ['no progress: 3 turns']],
    [
      {
        ...{ type: 'confirmed', hypothesis: hypothesisId(1), evidence: [evidenceId(2)] },
        cause: { class: 'process-dead', target: 'tikv-0' },
      },
      'board',
      [],
    ],
    [
      {
        type: 'ruled',
        proposal: 2,
        ruling: { kind: 'forbidden', code: 'MEDIC_POLICY_QUORUM', reason: 'region-14 would keep 1 of 3' },
        steps: [],
        basisHash: 'x',
        margin: '',
      },
      'ruling',
      ['forbidden MEDIC_POLICY_QUORUM: region-14 would keep 1 of 3'],
    ],
    [
      { type: 'asked', proposal: 2, question: '#2 stop tikv-1', expiresAt: '2026-01-02T03:34:05.000Z' },
      'waits',
      ['for your answer to #2 stop tikv-1', 'until 2026-01-02T03:34:05.000Z; no answer runs nothing'],
    ],
    [{ type: 'asked', proposal: 2, question: 'which?', expiresAt: null }, 'waits', ['for your answer to which?']],
    [
      { type: 'decided', proposal: 2, answer: 'deny', by: 'eva', note: 'not now' },
      'answer',
      ['#2 deny by eva: not now'],
    ],
    [{ type: 'decided', proposal: 2, answer: 'approve', by: 'eva', note: '' }, 'answer', ['#2 approve by eva']],
    [
      {
        type: 'decided',
        proposal: 2,
        answer: 'approve',
        by: 'eva',
        note: 'go',
        signed: true,
        count: { have: 1, need: 2 },
      },
      'answer',
      ['#2 approve by eva (signed, 1 of 2): go'],
    ],
    [
      { type: 'unauthorised', proposal: 2, answer: 'approve', by: 'zoe', code: 'MEDIC_X', reason: 'nobody knows zoe' },
      'answer',
      ['#2 approve by zoe does not count: nobody knows zoe'],
    ],
    [{ type: 'stale', message: 'decide', reason: 'of #1' }, 'stale', ['decide ignored: of #1']],
    [{ type: 'hint', by: 'eva', text: 'look at the disk' }, 'hint', ['eva: look at the disk']],
    [{ type: 'gate', granted: false, reason: 'tikv is frozen by eva' }, 'gate', ['shut: tikv is frozen by eva']],
    [
      {
        ...{ type: 'acted', proposal: 1, step: 1, command: 'lab$ labctl start tikv-0', journal: 'k' },
        ...{ outcome: 'failed', exit: 1, reason: 'no such node' },
      },
      'act',
      ['lab$ labctl start tikv-0 -> failed (exit 1)', 'no such node'],
    ],
    [
      {
        ...{ type: 'acted', proposal: 1, step: 1, command: 'lab$ labctl start tikv-0', journal: '-' },
        ...{ outcome: 'unknown', exit: null, reason: 'the worker was lost' },
      },
      'act',
      ['lab$ labctl start tikv-0 -> unknown', 'the worker was lost'],
    ],
    [
      { type: 'settled', journal: 'k', done: true, reason: 'it finished with exit 0' },
      'settled',
      ['it finished with exit 0; the effect is there'],
    ],
    [
      { type: 'proof', result: 'unknown', reason: 'PD cannot be read', overMs: 60_000 },
      'proof',
      ['unknown after 60.0 s: PD cannot be read'],
    ],
    [
      { type: 'undid', step: 1, command: 'start tikv-0', outcome: 'nothing to take back' },
      'undo',
      ['step 1: start tikv-0 -> nothing to take back'],
    ],
    [
      { type: 'concluded', conclusion: 'transient', why: 'all holds', evidence: [evidenceId(1)] },
      'end',
      ['transient: all holds (e1)'],
    ],
    [{ type: 'reminded', waitingFor: 'an answer' }, 'remind', ['still waiting for an answer']],
    [{ type: 'escalated', reason: 'nothing fits', brief: 'long' }, 'person', ['needed: nothing fits']],
    [{ type: 'closed', phase: 'aborted', by: 'eva', note: 'enough' }, 'closed', ['aborted by eva: enough']],
    [{ type: 'archived', report: '/x/tikv-7.md' }, 'report', ['/x/tikv-7.md']],
    [{ type: 'sighted', violations: [] }, 'also', []],
  ])('tells %j', (happening, tag, lines) => {
    expect(told(happening)).toMatchObject({ tag, lines });
  });

  it('tells a step that can be taken back with the command that does it', () => {
    const call = { kind: 'shell', host: 'lab', command: 'labctl stop tikv-0' } as const;
    const steps = PROPOSAL.steps.map((step) => ({
      ...step,
      inverse: { kind: 'restore', describe: 'stop it again', call } as const,
    }));
    const { lines } = told({ type: 'proposed', proposal: { ...PROPOSAL, steps } });
    expect(lines[3]).toBe('step 1: lab$ labctl start tikv-0 (undo: stop it again)');
  });

  it('gives the reason of a sample in which nothing is broken, good or not', () => {
    const sample = { at: '', healthy: 'unknown', broken: [], causeGone: 'unknown', reason: 'PD is silent' } as const;
    expect(told({ type: 'sampled', sample, inRow: 0, needed: 3 })).toMatchObject({ lines: ['○○○ PD is silent'] });
  });

  it('says why a look failed instead of what it found', () => {
    const [looked] = STORY.filter((event): event is TrailEvent & { type: 'looked' } => event.type === 'looked');
    const evidence = (looked?.evidence ?? []).map((e) => ({ ...e, exit: null, failure: 'no answer within 900 ms' }));
    expect(told({ type: 'looked', why: '', evidence }).lines[0]).toBe(
      'e2 lab$ labctl inspect tikv-0 -> no answer within 900 ms',
    );
  });
});

describe('the board', () => {
  it('stands in columns, as wide as its widest cause', () => {
    expect(boardLines(BOARDS.open)).toEqual([
      'H1 process-dead/tikv-0    0.30  open       for -  against -: the host was not asked yet',
      'H2 process-frozen/tikv-0  0.30  open       for -  against -: the host was not asked yet',
    ]);
    expect(boardLines([])).toEqual([]);
  });

  it('of a turn puts what was not tested yet before what was', () => {
    const [dead] = BOARDS.settled;
    const [, frozen] = BOARDS.open;
    expect(boardOfTurn([dead!, frozen!])).toEqual([
      'to be tested: process-frozen/tikv-0',
      'H1 process-dead/tikv-0  0.30 → 0.95  supported  for e2 e3  against -: the host shows tikv-0 exited 137, died',
    ]);
  });

  it('says of a hypothesis that no evidence refutes only that it is refuted', () => {
    const [, frozen] = BOARDS.settled;
    expect(boardLines([{ ...frozen!, against: [] }])).toEqual([
      'H2 process-frozen/tikv-0  0.30 → 0.02  refuted: there is no process to be frozen',
    ]);
  });
});

describe('the history of a confidence', () => {
  const history = (...values: readonly number[]) =>
    confidenceHistory({ ...BOARDS.open[0]!, confidence: values.map((value, i) => ({ turn: i + 1, value })) });

  it('is every change of it, and of many the first and the last ones', () => {
    expect(history(0.3)).toBe('0.30');
    expect(history(0.3, 0.3, 0.6, 0.95, 0.95)).toBe('0.30 → 0.60 → 0.95');
    expect(history(0.1, 0.2, 0.3, 0.4, 0.5)).toBe('0.10 → … → 0.30 → 0.40 → 0.50');
  });
});

describe('small words', () => {
  it('count, draw and date', () => {
    expect([counted(1, 'act'), counted(0, 'act'), counted(5, 'look')]).toEqual(['1 act', '0 acts', '5 looks']);
    expect([dots(2, 6), dots(7, 6), dots(0, 3)]).toEqual(['●●○○○○', '●●●●●●', '○○○']);
    expect(sinceStart('2026-01-02T03:04:08.250Z', '2026-01-02T03:04:05.000Z')).toBe('t+3.3');
  });
});
