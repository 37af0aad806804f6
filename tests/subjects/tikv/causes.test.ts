import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import {
  died,
  fact,
  healthy,
  justKilled,
  leadership,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  secondsAgo,
  withPd,
  withStore,
  witness,
} from './pictures.js';

function isGone(name: string, picture: TikvPicture, target: string) {
  return CAUSES.find((cause) => cause.class === name)!.isGone(picture, target);
}

/** Causes whose target is PD, whatever they are asked about. */
const OF_PD = /^(pd-|foreign-scheduler|scheduling-stopped)/;

const restarted = (changes = {}) =>
  withStore(healthy(), 'tikv-2', { witness: witness({ startedAt: secondsAgo(5), starts: 2 }), ...changes });

describe('process-dead is gone', () => {
  it('when the host, our client and a heartbeat of the new process say so', () => {
    expect(isGone('process-dead', restarted({ pd: pdStore('3', { lastHeartbeat: secondsAgo(2) }) }), 'tikv-2')).toEqual(
      {
        verdict: 'yes',
        reason:
          'the witness shows tikv-2 running (pid 4711); tikv-2 answers our client; PD calls tikv-2 Up, heartbeat 2 s ago; ' +
          'PD had a heartbeat of the process that started at 2026-11-30T13:59:55.000Z',
      },
    );
  });

  it.each([
    ['the host shows it dead', justKilled()],
    ['the host shows it paused', restarted({ witness: witness({ state: 'paused' }) })],
    ['its port refuses', restarted({ reach: REFUSED })],
    [
      'PD calls it Disconnected',
      restarted({ pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(9) }) }),
    ],
    [
      'PD still believes in the old process',
      restarted({ pd: pdStore('3', { lastHeartbeat: secondsAgo(3) }), witness: witness({ startedAt: secondsAgo(2) }) }),
    ],
  ])('not while %s', (_, picture) => {
    expect(isGone('process-dead', picture, 'tikv-2').verdict).toBe('no');
  });

  it.each([
    ['the witness', restarted({ witness: nothing })],
    ['our client', restarted({ reach: nothing })],
    ['PD', pdUnreadable(restarted())],
  ])('unknown without %s', (_, picture) => {
    expect(isGone('process-dead', picture, 'tikv-2').verdict).toBe('unknown');
  });
});

describe('the other causes', () => {
  it('are gone in a healthy cluster', () => {
    const targets: Record<string, string> = { 'pd-stale': 'pd', 'pd-quorum-lost': 'pd', 'pd-member-dead': 'pd-1' };
    for (const { class: name } of CAUSES)
      expect({ name, ...isGone(name, healthy(), targets[name] ?? 'tikv-2') }).toMatchObject({ name, verdict: 'yes' });
  });

  it('are there while their sign is there', () => {
    const paused = withStore(healthy(), 'tikv-2', { witness: witness({ state: 'paused' }) });
    expect(isGone('process-frozen', paused, 'tikv-2').verdict).toBe('no');
    const cut = withStore(healthy(), 'tikv-2', {
      pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(9) }),
    });
    expect(isGone('link-loss', cut, 'tikv-2').verdict).toBe('no');
    const pdDead = withPd(healthy(), 'pd-1', { reach: REFUSED, quorum: nothing, witness: died() });
    expect(isGone('pd-member-dead', pdDead, 'pd-1').verdict).toBe('no');
    expect(isGone('pd-quorum-lost', pdDead, 'pd').verdict).toBe('yes');
    expect(isGone('pd-quorum-lost', pdUnreadable(), 'pd').verdict).toBe('no');
    const young = healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(2) }) });
    expect(isGone('pd-stale', young, 'pd').verdict).toBe('unknown');
  });

  it('are never proven gone of something that is not in the picture', () => {
    for (const { class: name } of CAUSES.filter((cause) => !OF_PD.test(cause.class)))
      expect(isGone(name, healthy(), 'tikv-9').verdict).toBe('unknown');
  });
});

describe('every cause of a store', () => {
  const gaps = fc.record({ pd: fc.boolean(), reach: fc.boolean(), witness: fc.boolean() });
  const stores = ['process-dead', 'process-frozen', 'link-loss', 'stopped-by-request'];

  it('is proven gone only with our client, the witness and PD', () => {
    fc.assert(
      fc.property(fc.constantFrom(...stores), gaps, (name, missing) => {
        const lost = Object.fromEntries(
          Object.entries(missing).flatMap(([part, gone]) => (gone ? [[part, nothing]] : [])),
        );
        const { verdict } = isGone(name, withStore(healthy(), 'tikv-2', lost), 'tikv-2');
        expect(verdict).toBe(Object.values(missing).some(Boolean) ? 'unknown' : 'yes');
      }),
    );
  });

  it('is not gone because of a fact that is not a fact', () => {
    expect(isGone('process-dead', withStore(healthy(), 'tikv-2', { pd: fact(null) }), 'tikv-2').verdict).toBe('no');
  });
});
