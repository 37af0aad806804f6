import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { type Delivery, post } from '../../../src/notify/post.js';
import { receiver } from '../../support/receiver.js';

async function answered(answer: (response: ServerResponse) => void, withinMs = 5_000): Promise<Delivery> {
  const server = await receiver(answer);
  try {
    const request = { url: `${server.url}/secret`, headers: {}, body: '{}' };
    return await post({ request, withinMs, signal: new AbortController().signal });
  } finally {
    await server.close();
  }
}

describe('one POST', () => {
  it.each([
    [200, { outcome: 'delivered', status: 200 }],
    [202, { outcome: 'delivered', status: 202 }],
    [302, { outcome: 'refused', why: 'it answered 302 no' }],
    [400, { outcome: 'refused', why: 'it answered 400 no' }],
    [404, { outcome: 'refused', why: 'it answered 404 no' }],
    [429, { outcome: 'again', why: 'it answered 429 no', afterMs: null }],
    [503, { outcome: 'again', why: 'it answered 503 no', afterMs: null }],
  ] as const)('answered %i', async (status, delivery) => {
    expect(await answered((response) => void response.writeHead(status, { location: '/other' }).end('no'))).toEqual(
      delivery,
    );
  });

  it('comes again when the receiver says so', async () => {
    expect(await answered((response) => void response.writeHead(429, { 'retry-after': '7' }).end())).toEqual({
      outcome: 'again',
      why: 'it answered 429',
      afterMs: 7_000,
    });
  });

  it('comes again when nobody answers, in time or at all, and the reason does not hold the address', async () => {
    expect(await answered(() => {}, 50)).toEqual({ outcome: 'again', why: 'it did not answer in time', afterMs: null });
    expect(await answered((response) => void response.destroy())).toEqual({
      outcome: 'again',
      why: 'it cannot be reached (UND_ERR_SOCKET)',
      afterMs: null,
    });
    const request = { url: 'http://127.0.0.1:1/secret', headers: {}, body: '' };
    const refused = await post({ request, withinMs: 5_000, signal: new AbortController().signal });
    expect(refused).toMatchObject({ outcome: 'again', why: expect.stringMatching(/^it cannot be reached \(\w+\)$/) });
  });

  it('keeps only the beginning of a long answer', async () => {
    const { why } = (await answered((response) => void response.writeHead(400).end('n'.repeat(9_999)))) as {
      why: string;
    };
    expect(why).toHaveLength('it answered 400 '.length + 200);
  });
});
