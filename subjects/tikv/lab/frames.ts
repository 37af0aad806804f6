/** A frame announces more than this many bytes only when the stream is not ours: the connection is then given up. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;

const HEADER_BYTES = 4;

/** One message on the wire: 4 bytes of big-endian length, then that many bytes of UTF-8 JSON. */
export function encodeFrame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32BE(body.length, 0);
  body.copy(frame, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into messages, whatever the chunks were.
 *
 * @returns a function that takes the next chunk and returns the messages that it completed, in order
 * @throws RangeError for a frame above {@link MAX_FRAME_BYTES}, SyntaxError for a body that is no JSON; the stream is
 *   of no use after either
 */
export function createFrameDecoder(): (chunk: Buffer) => unknown[] {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = HEADER_BYTES;
  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < neededBytes) return [];
    const { messages, rest } = takeMessages(Buffer.concat(waiting));
    waiting = [rest];
    waitingBytes = rest.length;
    neededBytes = rest.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + rest.readUInt32BE(0);
    return messages;
  };
}

function takeMessages(bytes: Buffer): { messages: unknown[]; rest: Buffer } {
  const messages: unknown[] = [];
  let at = 0;
  while (bytes.length - at >= HEADER_BYTES) {
    const length = bytes.readUInt32BE(at);
    if (length > MAX_FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes is not one of ours`);
    if (bytes.length - at < HEADER_BYTES + length) break;
    messages.push(JSON.parse(bytes.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length)));
    at += HEADER_BYTES + length;
  }
  return { messages, rest: bytes.subarray(at) };
}
