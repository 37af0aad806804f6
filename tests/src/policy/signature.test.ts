import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../../src/domain/approval.js';
import { proposalId } from '../../../src/domain/ids.js';
import { isSignedBy, publicKeyOf, signed } from '../../../src/policy/signature.js';

const { privateKey } = generateKeyPairSync('ed25519');
const key = publicKeyOf(privateKey);
const otherKey = publicKeyOf(generateKeyPairSync('ed25519').privateKey);

const answers: fc.Arbitrary<Answer & { steps: string[] }> = fc.record({
  proposal: fc.uuid().map(proposalId),
  answer: fc.constantFrom('approve', 'deny', 'amend'),
  by: fc.string(),
  note: fc.string({ unit: 'binary' }),
  basisHash: fc.string(),
  expiresAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  // Whatever a later version says with its answer.
  steps: fc.array(fc.string()),
});

describe('a signature', () => {
  it('holds for the answer and the run that it was made for, in whatever order its parts come', () => {
    fc.assert(
      fc.property(answers, fc.uuid(), (answer, run) => {
        const said = signed({ run, answer, key: privateKey });
        const turned = Object.fromEntries(Object.entries(said).reverse()) as unknown as Answer;
        expect(isSignedBy({ run, answer: JSON.parse(JSON.stringify(turned)), key })).toBe(true);
      }),
    );
  });

  it('fails when any part of it is another one, or is missing', () => {
    const parts = ['proposal', 'answer', 'by', 'note', 'basisHash', 'expiresAt', 'steps'] as const;
    fc.assert(
      fc.property(answers, fc.uuid(), fc.constantFrom(...parts), fc.string(), (answer, run, part, other) => {
        fc.pre(other !== answer[part]);
        const said = signed({ run, answer, key: privateKey });
        expect(isSignedBy({ run, answer: { ...said, [part]: other }, key })).toBe(false);
        expect(isSignedBy({ run, answer: { ...said, [part]: undefined }, key })).toBe(false);
      }),
    );
  });

  it('fails for another run, for another key, and for a part that nobody signed', () => {
    fc.assert(
      fc.property(answers, fc.uuid(), fc.uuid(), (answer, run, other) => {
        fc.pre(run !== other);
        const said = signed({ run, answer, key: privateKey });
        expect(isSignedBy({ run: other, answer: said, key })).toBe(false);
        expect(isSignedBy({ run, answer: said, key: otherKey })).toBe(false);
        expect(isSignedBy({ run, answer: { ...said, more: 1 } as Answer, key })).toBe(false);
      }),
    );
  });

  it('has one spelling, and what is none is refused without an error', () => {
    const answer: Answer = { proposal: proposalId('p'), answer: 'approve', by: 'ana', note: '', basisHash: 'b' };
    const said = signed({ run: 'r', answer, key: privateKey });
    const text = said.signature ?? '';
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = text.slice(0, -1) + last[last.indexOf(text.at(-1) ?? '') + 1];
    expect(Buffer.from(twin, 'base64url')).toEqual(Buffer.from(text, 'base64url'));
    for (const signature of [twin, `${text}=`, `${text} `, text.slice(1), '', 'x'.repeat(86), undefined])
      expect([signature, isSignedBy({ run: 'r', answer: { ...said, signature }, key })]).toEqual([signature, false]);
    expect(isSignedBy({ run: 'r', answer: said, key: 'ed25519:short' })).toBe(false);
    expect(isSignedBy({ run: 'r', answer: said, key })).toBe(true);
  });
});
