import { crc32 } from 'node:zlib';

const HEADER_BYTES = 8;

/** Whole frames read from the start of a file, and where the last of them ends. What lies behind that was never synced. */
export interface ReadFrames {
  payloads: string[];
  validBytes: number;
}

/** `length` and CRC-32 of the payload (both u32, little endian), then the payload, which must not be empty. */
export function encodeFrame(payload: string): Buffer {
  const body = Buffer.from(payload, 'utf8');
  if (body.length === 0) throw new RangeError('an empty frame cannot be told from a tail of zeros');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length, 0);
  header.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([header, body]);
}

/** Reads frames from `start` up to the first that is cut off or whose CRC is wrong. */
export function decodeFrames(bytes: Buffer, start: number): ReadFrames {
  const payloads: string[] = [];
  let at = start;
  for (let body = bodyAt(bytes, at); body; body = bodyAt(bytes, at)) {
    payloads.push(body.toString('utf8'));
    at += HEADER_BYTES + body.length;
  }
  return { payloads, validBytes: at };
}

function bodyAt(bytes: Buffer, at: number): Buffer | null {
  if (at + HEADER_BYTES > bytes.length) return null;
  const length = bytes.readUInt32LE(at);
  const body = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
  // Some file systems leave zeros behind the synced part after a crash.
  if (length === 0 || body.length < length) return null;
  return crc32(body) === bytes.readUInt32LE(at + 4) ? body : null;
}
