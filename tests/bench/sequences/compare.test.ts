import { describe, expect, it } from '@jest/globals';
import { compareSequences, differencesOf } from '../../../bench/sequences/compare.js';
import type { SequenceEvent } from '../../../bench/sequences/events.js';
import type { Seen } from '../../../bench/sequences/sequence.js';

const named = (name: string): SequenceEvent => ({ name, toleranceS: 3, holds: () => true });
const during = (name: string, s: number): Seen => ({ phase: 'during', event: named(name), s });
const healed = (name: string, s: number): Seen => ({ ...during(name, s), phase: 'after' });
const differences = (real: Seen[], standIn: Seen[]) => differencesOf(compareSequences({ real, standIn }));

describe('a comparison of two sequences', () => {
  it('agrees where every event came within its tolerance', () => {
    expect(differences([during('a', 1), healed('a', 9)], [during('a', 4), healed('a', 6)])).toEqual([]);
  });

  it('tells what came too early or too late', () => {
    const real = [during('a', 10), during('b', 10), healed('c', 10)];
    const standIn = [during('a', 6.9), during('b', 13.1), healed('c', 20)];
    expect(differences(real, standIn)).toEqual(['earlier: a', 'later: b', 'later: healed, c']);
  });

  it('tells what only one of them showed, also where the other showed it in the other phase', () => {
    expect(differences([during('a', 1)], [healed('a', 1), during('b', 2)])).toEqual([
      'only real: a',
      'only stand-in: b',
      'only stand-in: healed, a',
    ]);
  });

  it('tells which events came the other way round, if they were well apart on the real cluster', () => {
    expect(differences([during('a', 1), during('b', 6)], [during('a', 4), during('b', 3)])).toEqual(['swapped: a < b']);
    expect(differences([during('a', 1), during('b', 5)], [during('a', 4), during('b', 3)])).toEqual([]);
  });

  it('lists the events in the order of the real cluster, the healing last', () => {
    const { events } = compareSequences({
      real: [healed('z', 1), during('b', 2), during('a', 1)],
      standIn: [during('only here', 1.5)],
    });
    expect(events.map(({ event }) => event)).toEqual(['a', 'only here', 'b', 'z']);
  });
});
