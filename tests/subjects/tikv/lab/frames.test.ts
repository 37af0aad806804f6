import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFrameDecoder, encodeFrame, MAX_FRAME_BYTES } from '../../../../subjects/tikv/lab/frames.js';

describe('framed JSON', () => {
  it('comes out as it went in, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        (messages, cuts) => {
          const decode = createFrameDecoder();
          const stream = Buffer.concat(messages.map(encodeFrame));
          const decoded: unknown[] = [];
          for (let at = 0, turn = 0; at < stream.length; turn += 1) {
            const size = 1 + (cuts[turn % cuts.length] ?? 0);
            decoded.push(...decode(stream.subarray(at, at + size)));
            at += size;
          }
          expect(JSON.stringify(decoded)).toBe(JSON.stringify(messages));
        },
      ),
    );
  });

  it('is refused when a frame claims to be larger than any of ours', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(MAX_FRAME_BYTES + 1);
    expect(() => createFrameDecoder()(header)).toThrow('is not one of ours');
  });
});
