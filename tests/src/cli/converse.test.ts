import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { converse } from '../../../src/cli/converse.js';
import type { CardView } from '../../../src/cli/decision-card.js';
import { createDialogue } from '../../../src/cli/dialogue.js';
import { MedicError } from '../../../src/domain/errors.js';
import { CARD, cardWith } from './cards.js';
import { paper } from './paper.js';

/** A person who types the next line at each prompt, and Ctrl-D when there is none left. */
function person(lines: readonly string[]) {
  const left = [...lines];
  const input = new PassThrough();
  const output = new PassThrough();
  const prompts: string[] = [];
  output.on('data', (prompt: Buffer) => {
    prompts.push(String(prompt));
    const next = left.shift();
    if (next === undefined) input.end();
    else input.write(`${next}\n`);
  });
  return { prompts, dialogue: createDialogue({ input, output }) };
}

interface Sitting {
  readonly lines: readonly string[];
  readonly view?: CardView;
  /** What goes wrong with the first answer. */
  readonly failure?: MedicError;
  readonly next?: CardView;
}

async function sit({ lines, view = CARD, failure, next = CARD }: Sitting) {
  const { screen, out, err } = paper({ columns: 120 });
  const { prompts, dialogue } = person(lines);
  const said: unknown[] = [];
  let failures = failure ? [failure] : [];
  const answer = async (...words: unknown[]) => {
    const [error] = failures;
    failures = [];
    if (error) throw error;
    said.push(words);
    return 0;
  };
  const code = await converse({
    view,
    screen,
    dialogue,
    actions: {
      decide: (kind, reason, seen) => answer(kind, reason, seen.status.pending.basisHash),
      amend: (reason, seen) => answer('amend', reason, seen.status.pending.basisHash),
      hint: (text) => answer('hint', text),
      take: (reason) => answer('take', reason),
      reread: async () => next,
    },
  });
  return { code, said, prompts, out: out(), err: err() };
}

describe('the keys of the decision card', () => {
  it.each([
    [
      ['a', 'looks right'],
      ['approve', 'looks right', 'cafe'],
    ],
    [
      ['d', 'not now'],
      ['deny', 'not now', 'cafe'],
    ],
    [
      ['m', 'softer'],
      ['amend', 'softer', 'cafe'],
    ],
    [
      ['h', 'the disk'],
      ['hint', 'the disk'],
    ],
    [
      ['t', 'mine'],
      ['take', 'mine'],
    ],
  ])('%j sends what it says, on the basis that was seen', async (lines, expected) => {
    expect(await sit({ lines })).toMatchObject({ code: 0, said: [expected] });
  });

  it.each([[['q']], [[]], [['x', 'q']]])('%j leaves it for later, with the code of a pending answer', async (lines) => {
    const { code, said, err } = await sit({ lines });
    expect({ code, said }).toEqual({ code: 8, said: [] });
    expect(err.at(-1)).toBe('tikv/7 still waits for an answer; nothing runs');
  });

  it('do nothing without a reason', async () => {
    const { code, said, err } = await sit({ lines: ['a', '', 'q'] });
    expect({ code, said }).toEqual({ code: 8, said: [] });
    expect(err[0]).toBe('nothing was typed, so nothing is done');
  });

  it('show a piece of evidence by its number, and which there are for any other', async () => {
    const { out, err } = await sit({ lines: ['e 2', 'e 9', 'q'] });
    expect(out.slice(-3)).toEqual([
      'e2 at 2026-01-02T03:04:05.000Z, 10 bytes, sha256 abababababab',
      'tikv-0 exited 137, died',
      'State: exited 137',
    ]);
    expect(err[0]).toBe('there is no evidence e9; there is e2 e3');
  });

  it('approve what cannot be taken back only with the whole sentence', async () => {
    const { proposal } = CARD.status.pending;
    const steps = proposal.steps.map((step) => ({
      ...step,
      inverse: { kind: 'irreversible', why: 'erased' } as const,
    }));
    const view = cardWith({ proposal: { ...proposal, steps } });
    const short = await sit({ view, lines: ['a', 'yes', 'q'] });
    expect(short).toMatchObject({
      code: 8,
      said: [],
      err: ['that was something else, so nothing is done', expect.any(String)],
    });
    const whole = await sit({ view, lines: ['a', 'approve #1', 'it is empty'] });
    expect(whole).toMatchObject({ code: 0, said: [['approve', 'it is empty', 'cafe']] });
  });

  it('show the plan again, with what changed, when it is no longer the one that was seen', async () => {
    const failure = new MedicError('MEDIC_DECIDE_STALE', 'tikv/7 has changed');
    const next = cardWith({ basisHash: 'beef', changes: ['process: exited -> running'] });
    const { code, said, out, err } = await sit({ lines: ['a', 'go', 'a', 'still'], failure, next });
    expect({ code, said }).toEqual({ code: 0, said: [['approve', 'still', 'beef']] });
    expect(err).toEqual(['MEDIC_DECIDE_STALE  tikv/7 has changed']);
    expect(out.join('\n')).toContain('- process: exited -> running');
  });

  it('show the plan as it was when the kernel refuses an amendment', async () => {
    const failure = new MedicError('MEDIC_POLICY_QUORUM', '#2 forbidden; #1 waits again');
    const { said, err } = await sit({ lines: ['m', 'stop it', 'd', 'no then'], failure });
    expect(said).toEqual([['deny', 'no then', 'cafe']]);
    expect(err).toEqual(['MEDIC_POLICY_QUORUM  #2 forbidden; #1 waits again']);
  });

  it('end with any other failure as that failure', async () => {
    const failure = new MedicError('MEDIC_WORKER_SILENT', 'no worker answered in time');
    await expect(sit({ lines: ['a', 'go'], failure })).rejects.toBe(failure);
  });
});
