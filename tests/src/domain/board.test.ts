import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { confidenceOf, confirmCause, leading, MAX_HYPOTHESES, updateBoard } from '../../../src/domain/board.js';
import type { Hypothesis, HypothesisStatus } from '../../../src/domain/hypothesis.js';
import { type EvidenceId, evidenceId } from '../../../src/domain/ids.js';
import { boardOf, dead, frozen, known, update } from './hypotheses.js';

const again = (board: readonly Hypothesis[], ...updates: Parameters<typeof updateBoard>[1]) =>
  updateBoard(board, updates, { turn: 2, known });

describe('the board', () => {
  it('keeps the whole history of a confidence, within 0 and 1', () => {
    const { board } = again(boardOf(update(dead, 'open', 0.4, [1])), update(dead, 'supported', 7, [2]));
    expect(board).toMatchObject([
      {
        id: 'H1',
        status: 'supported',
        for: ['e2'],
        confidence: [
          { turn: 1, value: 0.4 },
          { turn: 2, value: 1 },
        ],
      },
    ]);
  });

  it('sends an update back that cites what does not exist, and stands as before', () => {
    const before = boardOf(update(dead, 'open', 0.4, [1]));
    expect(again(before, update(dead, 'supported', 0.9, [2, 9]))).toEqual({
      board: before,
      refused: ['process-dead/tikv-2 stands as before: it cites evidence that does not exist: e9'],
    });
    expect(again([], update(frozen, 'open', 0.4, [9])).board).toEqual([]);
  });

  it.each<[HypothesisStatus, string]>([
    ['supported', 'it is called supported, but no evidence for it is cited'],
    ['confirmed', 'it is called supported, but no evidence for it is cited'],
    ['refuted', 'it is called refuted, but no evidence against it is cited'],
  ])('lets nobody call a hypothesis %s on no evidence', (status, words) => {
    const before = boardOf(update(dead, 'open', 0.4));
    const wrongSide = { ...update(dead, status, 0.9), [status === 'refuted' ? 'for' : 'against']: [evidenceId(2)] };
    for (const one of [update(dead, status, 0.9), wrongSide])
      expect(again(before, one)).toEqual({
        board: before,
        refused: [`process-dead/tikv-2 stands as before: ${words}`],
      });
  });

  it('lets a claim be withdrawn without evidence, and applies the good updates beside a bad one', () => {
    const before = boardOf(update(dead, 'supported', 0.9, [2]));
    const { board, refused } = again(before, update(dead, 'open', 0.3), update(frozen, 'refuted', 0));
    expect(board).toMatchObject([{ id: 'H1', status: 'open' }]);
    expect(refused).toHaveLength(1);
  });

  it('gives a reasoner that says confirmed no more than supported', () => {
    expect(boardOf(update(dead, 'confirmed', 0.9, [2]))).toMatchObject([{ status: 'supported' }]);
  });

  it('is confirmed by a proof alone, which leaves the confidence as it was believed', () => {
    const before = boardOf(update(dead, 'supported', 0.9, [2]), update(frozen, 'refuted', 0.02, [2]));
    const after = confirmCause(before, dead, { evidence: [evidenceId(3)], because: 'the proof: healthy 6 of 6' });
    expect(after).toMatchObject([
      { status: 'confirmed', for: ['e2', 'e3'], because: 'the proof: healthy 6 of 6', confidence: [{ value: 0.9 }] },
      { status: 'refuted' },
    ]);
    expect(leading(after)?.id).toBe('H1');
  });

  it(`holds at most ${MAX_HYPOTHESES} hypotheses`, () => {
    const all = Array.from({ length: MAX_HYPOTHESES + 1 }, (_, i) => update({ ...dead, target: `t${i}` }, 'open', 0.1));
    const { board, refused } = again([], ...all);
    expect(board).toHaveLength(MAX_HYPOTHESES);
    expect(refused).toEqual(['process-dead/t20 stands as before: the board holds 20 hypotheses already']);
    expect(again(board, update({ ...dead, target: 't3' }, 'open', 0.7)).refused).toEqual([]);
  });

  it('never lets a refuted hypothesis lead', () => {
    expect(leading(boardOf(update(dead, 'refuted', 1, [2])))).toBeNull();
    expect(leading(boardOf(update(dead, 'refuted', 1, [2]), update(frozen, 'open', 0.1)))?.cause).toEqual(frozen);
  });

  it('cites only evidence that exists, decides nothing without, and only adds to a history (property)', () => {
    const status = fc.constantFrom<HypothesisStatus>('open', 'supported', 'refuted', 'confirmed');
    const ids = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
    const one = fc.record({
      cause: fc.constantFrom(dead, frozen),
      status,
      confidence: fc.double(),
      for: ids,
      against: ids,
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), (all) => {
        let board: readonly Hypothesis[] = [];
        for (const [turn, { cause, status: s, confidence, ...cited }] of all.entries()) {
          const before = board;
          const said = {
            ...update(cause, s, confidence),
            for: cited.for.map(evidenceId),
            against: cited.against.map(evidenceId),
          };
          const change = updateBoard(board, [said], { turn, known });
          board = change.board;
          if (change.refused.length > 0) expect(board).toEqual(before);
          expect(
            board.flatMap((h): readonly EvidenceId[] => [...h.for, ...h.against]).every((id) => known.has(id)),
          ).toBe(true);
          for (const h of board) {
            if (h.status === 'refuted') expect(h.against).not.toEqual([]);
            if (h.status === 'supported') expect(h.for).not.toEqual([]);
            expect(h.status).not.toBe('confirmed');
            expect(confidenceOf(h)).toBeGreaterThanOrEqual(0);
          }
          for (const old of before) {
            const now = board.find((h) => h.id === old.id)!;
            expect(now.confidence.slice(0, old.confidence.length)).toEqual(old.confidence);
          }
        }
      }),
    );
  });
});
