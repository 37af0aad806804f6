import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { confidenceOf, leading, updateBoard } from '../../../src/domain/board.js';
import type { Evidence } from '../../../src/domain/evidence.js';
import type { Hypothesis, HypothesisStatus, HypothesisUpdate } from '../../../src/domain/hypothesis.js';
import { type EvidenceId, evidenceId } from '../../../src/domain/ids.js';
import { whatIsMissing } from '../../../src/domain/judgement.js';
import type { ProposalDraft } from '../../../src/domain/proposal.js';

const dead = { class: 'process-dead', target: 'tikv-2' };
const frozen = { class: 'process-frozen', target: 'tikv-2' };

const update = (
  cause: typeof dead,
  status: HypothesisStatus,
  confidence: number,
  ids: readonly number[] = [],
): HypothesisUpdate => ({
  cause,
  claim: cause.class,
  status,
  confidence,
  for: ids.map(evidenceId),
  against: [],
  because: 'seen',
});
const known = new Set([1, 2].map(evidenceId));
const boardOf = (...updates: readonly HypothesisUpdate[]) => updateBoard([], updates, { turn: 1, known });

const look = (id: number, part: Partial<Evidence> = {}): Evidence => ({
  id: evidenceId(id),
  at: '2026-01-01T00:00:00.000Z',
  host: 'lab',
  call: { kind: 'shell', host: 'lab', command: 'labctl inspect tikv-2' },
  exit: 0,
  durationMs: 1,
  line: 'exited 137',
  head: '',
  tail: '',
  bytes: 1,
  sha256: 'x',
  redactions: 0,
  tainted: true,
  ...part,
});
const picture = look(1, { call: null });
const draft = (part: Partial<ProposalDraft> = {}): ProposalDraft => ({
  title: 'start tikv-2',
  cause: dead,
  evidence: [evidenceId(2)],
  effect: 'it serves again',
  risk: 'none',
  steps: [{ kind: 'action', action: 'start-store', target: 'tikv-2' }],
  ...part,
});
const sound = boardOf(update(dead, 'supported', 0.9, [1, 2]), update(frozen, 'refuted', 0.02, [2]));

describe('a proposal is judged only when it is well founded', () => {
  it('lets a founded one pass', () => {
    expect(whatIsMissing(draft(), { board: sound, evidence: [picture, look(2)] })).toEqual([]);
  });

  it.each<[string, Partial<ProposalDraft>, readonly Hypothesis[], readonly Evidence[], string]>([
    [
      'names a cause that is not on the board',
      { cause: { class: 'link-loss', target: 'tikv-2' } },
      sound,
      [picture, look(2)],
      'no hypothesis on the board names the cause link-loss/tikv-2',
    ],
    [
      'rests on a hypothesis that is only open',
      {},
      boardOf(update(dead, 'open', 0.9, [2]), update(frozen, 'refuted', 0)),
      [picture, look(2)],
      'H1 is open, not supported',
    ],
    [
      'does not rest on the leading one',
      {},
      boardOf(update(dead, 'supported', 0.5, [2]), update(frozen, 'supported', 0.9)),
      [picture, look(2)],
      'H1 does not lead the board; H2 does',
    ],
    ['cites nothing', { evidence: [] }, sound, [picture, look(2)], 'the proposal cites no evidence'],
    [
      'cites what does not exist',
      { evidence: [evidenceId(9)] },
      sound,
      [picture, look(2)],
      'the proposal cites evidence that does not exist: e9',
    ],
    [
      'rests on the picture alone',
      {},
      boardOf(update(dead, 'supported', 0.9, [1]), update(frozen, 'refuted', 0)),
      [picture, look(2)],
      'no look that could have refuted H1 was run and answered',
    ],
    [
      'rests on a look that nobody answered',
      {},
      sound,
      [picture, look(2, { exit: null, failure: 'refused' })],
      'no look that could have refuted H1 was run and answered',
    ],
    [
      'considered nothing else',
      {},
      boardOf(update(dead, 'supported', 0.9, [2])),
      [picture, look(2)],
      'no alternative to the leading hypothesis was considered',
    ],
    ['has no step', { steps: [] }, sound, [picture, look(2)], 'the proposal has no step'],
  ])('sends back one that %s', (_, part, board, evidence, words) => {
    expect(whatIsMissing(draft(part), { board, evidence })).toContain(words);
  });
});

describe('the board', () => {
  it('keeps the whole history of a confidence and drops evidence that does not exist', () => {
    const once = boardOf(update(dead, 'open', 0.4, [1, 9]));
    const twice = updateBoard(once, [update(dead, 'confirmed', 7, [2])], { turn: 2, known });
    expect(twice).toMatchObject([
      {
        id: 'H1',
        status: 'confirmed',
        for: ['e2'],
        confidence: [
          { turn: 1, value: 0.4 },
          { turn: 2, value: 1 },
        ],
      },
    ]);
    expect(once[0]!.for).toEqual(['e1']);
  });

  it('never lets a refuted hypothesis lead', () => {
    expect(leading(boardOf(update(dead, 'refuted', 1)))).toBeNull();
    expect(leading(boardOf(update(dead, 'refuted', 1), update(frozen, 'open', 0.1)))?.cause).toEqual(frozen);
  });

  it('cites only evidence that exists and only ever adds to a confidence history (property)', () => {
    const status = fc.constantFrom<HypothesisStatus>('open', 'supported', 'refuted', 'confirmed');
    const one = fc.record({
      cause: fc.constantFrom(dead, frozen),
      status,
      confidence: fc.double(),
      ids: fc.array(fc.integer({ min: 1, max: 5 })),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (all) => {
        let board: Hypothesis[] = [];
        for (const [turn, { cause, status: s, confidence, ids }] of all.entries()) {
          const before = board;
          board = updateBoard(board, [update(cause, s, confidence, ids)], { turn, known });
          const cited = board.flatMap((h): readonly EvidenceId[] => [...h.for, ...h.against]);
          expect(cited.every((id) => known.has(id))).toBe(true);
          for (const old of before) {
            const now = board.find((h) => h.id === old.id)!;
            expect(now.confidence.slice(0, old.confidence.length)).toEqual(old.confidence);
          }
          for (const h of board) expect(confidenceOf(h)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
