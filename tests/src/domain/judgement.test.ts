import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '../../../src/domain/evidence.js';
import type { Hypothesis } from '../../../src/domain/hypothesis.js';
import { evidenceId } from '../../../src/domain/ids.js';
import { upstreamMissing, whatIsMissing } from '../../../src/domain/judgement.js';
import type { ProposalDraft } from '../../../src/domain/proposal.js';
import { boardOf, dead, frozen, look, picture, update } from './hypotheses.js';

const DRAFT: ProposalDraft = {
  title: 'start tikv-2',
  cause: dead,
  evidence: [evidenceId(2)],
  test: { evidence: evidenceId(2), wouldHaveRefuted: 'a process that runs' },
  alternative: { cause: frozen, why: 'there is no process' },
  effect: 'it serves again',
  risk: 'none',
  steps: [{ kind: 'action', action: 'start-store', target: 'tikv-2' }],
};
const CAUSES = ['process-dead', 'process-frozen', 'link-loss'];
const test = (evidence: number, wouldHaveRefuted = 'a process that runs') => ({
  test: { evidence: evidenceId(evidence), wouldHaveRefuted },
});
const alternative = (name: string, why = 'no') => ({ alternative: { cause: { ...dead, class: name }, why } });

const sound = boardOf(update(dead, 'supported', 0.9, [1, 2]), update(frozen, 'refuted', 0.02, [2]));
const seen = [picture, look(2), look(3)];

describe('a proposal is judged only when it is well founded', () => {
  it('lets a founded one pass', () => {
    expect(whatIsMissing(DRAFT, { board: sound, evidence: seen, causes: CAUSES })).toEqual([]);
    expect(whatIsMissing(DRAFT, { board: sound, evidence: seen, causes: [] })).toEqual([]);
  });

  it.each<[string, Partial<ProposalDraft>, readonly Hypothesis[], readonly Evidence[], string]>([
    [
      'names a cause that is not on the board',
      { cause: { class: 'link-loss', target: 'tikv-2' } },
      sound,
      seen,
      'no hypothesis on the board names the cause link-loss/tikv-2',
    ],
    [
      'names a cause that the subject does not know',
      { cause: { class: 'gremlins', target: 'tikv-2' } },
      boardOf(update({ class: 'gremlins', target: 'tikv-2' }, 'supported', 0.9, [2])),
      seen,
      'gremlins is no cause of this subject; it knows process-dead, process-frozen, link-loss',
    ],
    [
      'names the cause other, however sure',
      { cause: { class: 'other', target: 'tikv-2' } },
      boardOf(update({ class: 'other', target: 'tikv-2' }, 'supported', 1, [2]), update(frozen, 'refuted', 0, [2])),
      seen,
      'the cause `other` can never be proven gone, so nothing may be done about it',
    ],
    [
      'rests on a hypothesis that is only open',
      {},
      boardOf(update(dead, 'open', 0.9, [2]), update(frozen, 'refuted', 0, [2])),
      seen,
      'H1 is open, not supported',
    ],
    [
      'does not rest on the leading one',
      {},
      boardOf(update(dead, 'supported', 0.5, [2]), update(frozen, 'supported', 0.9, [2])),
      seen,
      'H1 does not lead the board; H2 does',
    ],
    ['cites nothing', { evidence: [] }, sound, seen, 'the proposal cites no evidence'],
    [
      'cites what does not exist',
      { evidence: [evidenceId(9)] },
      sound,
      seen,
      'the proposal cites evidence that does not exist: e9',
    ],
    ['names a picture as its test', test(1), sound, seen, 'the named test e1 is a picture'],
    [
      'names a look that nobody answered',
      {},
      sound,
      [picture, look(2, { exit: null, failure: 'refused' })],
      'the named test e2 is a look without an answer',
    ],
    ['names a test that does not exist', test(9), sound, seen, 'the named test e9 does not exist'],
    ['names a test that its hypothesis does not weigh', test(3), sound, seen, 'the named test e3 is not cited by H1'],
    [
      'does not say what would have refuted it',
      test(2, ' '),
      sound,
      seen,
      'what in e2 would have refuted H1 is not said',
    ],
    [
      'names no test',
      { test: undefined as never },
      sound,
      seen,
      'the proposal names no look that could have refuted H1',
    ],
    [
      'considered nothing else',
      { alternative: undefined as never },
      boardOf(update(dead, 'supported', 0.9, [2])),
      seen,
      'the proposal names no alternative that was considered',
    ],
    ['names itself', alternative('process-dead'), sound, seen, 'the named alternative is the cause itself'],
    [
      'names an alternative that is not on the board',
      alternative('link-loss'),
      sound,
      seen,
      'the named alternative link-loss/tikv-2 is not on the board',
    ],
    [
      'names an alternative for which nothing was weighed',
      {},
      boardOf(update(dead, 'supported', 0.9, [2]), update(frozen, 'open', 0.3)),
      seen,
      'no evidence was weighed for the named alternative H2',
    ],
    ['does not say why not', alternative('process-frozen', ''), sound, seen, 'why H2 is not the cause is not said'],
    ['has no step', { steps: [] }, sound, seen, 'the proposal has no step'],
  ])('sends back one that %s', (_, part, board, evidence, words) => {
    expect(whatIsMissing({ ...DRAFT, ...part }, { board, evidence, causes: CAUSES })).toContain(words);
  });
});

describe('what adds, moves or restarts capacity', () => {
  const slow = { class: 'pd-stale', target: 'pd' };
  const missing = (board: readonly Hypothesis[], upstream = ['process-dead', 'process-frozen']) =>
    upstreamMissing({ upstream, cause: slow, board, evidence: seen });

  it('needs nothing more when it is no such thing', () => {
    expect(missing([], [])).toEqual([]);
  });

  it('needs each upstream cause refuted by a look', () => {
    expect(missing(boardOf(update(dead, 'refuted', 0, [2]), update(frozen, 'refuted', 0, [3])))).toEqual([]);
  });

  it('is not asked about its own cause', () => {
    expect(missing([], ['pd-stale'])).toEqual([]);
  });

  it.each<[string, readonly Hypothesis[], string]>([
    ['was never considered', boardOf(update(dead, 'refuted', 0, [2])), 'process-frozen, which is not on the board'],
    [
      'is still open',
      boardOf(update(dead, 'refuted', 0, [2]), update(frozen, 'open', 0.1, [2])),
      'process-frozen/tikv-2: H2 is open',
    ],
    [
      'was refuted by the picture alone',
      boardOf(update(dead, 'refuted', 0, [2]), update(frozen, 'refuted', 0, [1])),
      'process-frozen/tikv-2: H2 is refuted by no answered look',
    ],
    [
      'is refuted of one member and not of another',
      boardOf(
        update(dead, 'refuted', 0, [2]),
        update(frozen, 'refuted', 0, [2]),
        update({ ...frozen, target: 'tikv-1' }, 'supported', 0.6, [3]),
      ),
      'process-frozen/tikv-1: H3 is supported',
    ],
  ])('goes back when an upstream cause %s', (_, board, words) => {
    expect(missing(board)).toEqual([
      `what is healthy is not restarted, moved or added to before a look refutes ${words}`,
    ]);
  });
});
