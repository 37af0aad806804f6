import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Answer, signedText } from '../domain/approval.js';

/** A public key as it stands in medic.yaml: `ed25519:` and its 32 bytes in base64url. */
export const PUBLIC_KEY = /^ed25519:[A-Za-z0-9_-]{43}$/;

const PREFIX = 'ed25519:';
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;

/** An answer, and the run of the ticket it is given in. */
export interface Said {
  readonly run: string;
  readonly answer: Answer;
}

/** The answer with its signature by a private ed25519 key. */
export function signed<A extends Answer>({ run, answer, key }: { run: string; answer: A; key: KeyObject }): A {
  const bytes = sign(null, Buffer.from(signedText(run, answer)), key);
  return { ...answer, signature: bytes.toString('base64url') };
}

/** Whether this very answer, in this very run, was signed by the owner of a key of medic.yaml. Never throws. */
export function isSignedBy({ run, answer, key }: Said & { readonly key: string }): boolean {
  const signature = bytesOf(answer.signature ?? '');
  const publicKey = toPublicKey(key);
  return signature && publicKey ? verify(null, Buffer.from(signedText(run, answer)), publicKey, signature) : false;
}

/** The public half of a private key, as it is written in medic.yaml. */
export const publicKeyOf = (key: KeyObject): string => `${PREFIX}${createPublicKey(key).export({ format: 'jwk' }).x}`;

/** Exactly one spelling of each signature is taken, so that a used one is known again. */
function bytesOf(text: string): Buffer | null {
  if (!SIGNATURE.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}

function toPublicKey(text: string): KeyObject | null {
  if (!PUBLIC_KEY.test(text)) return null;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: text.slice(PREFIX.length) };
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return null;
  }
}
