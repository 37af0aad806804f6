import { describe, expect, it } from '@jest/globals';
import { type Phase, sequenceOf } from '../../../bench/sequences/sequence.js';
import { readRows } from './recordings.js';

const linesOf = (fault: string, phase: Phase) =>
  sequenceOf(readRows(fault))
    .filter((seen) => seen.phase === phase)
    .map(({ s, event }) => `${s} ${event.name}`);

describe('the sequence that a real cluster showed', () => {
  it('around a killed store', () => {
    expect(linesOf('node_kill', 'during')).toEqual([
      '1 process of T gone',
      '1 status of T refused',
      '1 clients are refused',
      '1 clients are sent to another store',
      '8 first leader of T elsewhere',
      '8 first pending peer',
      '10 leaders move',
      '15 T Disconnected',
      '16 clients give up',
      '17 last leader of T elsewhere',
    ]);
    expect(linesOf('node_kill', 'after')).toEqual([
      '1.8 status of T answers',
      '3.8 nothing pending',
      '11.8 T Up',
      '11.8 T Up and busy',
      '11.8 all stores Up',
      '35.8 leaders of T again',
    ]);
  });

  it('around a frozen store: its peers find it slow before its first leader is gone', () => {
    const lines = linesOf('process_pause', 'during');
    expect(lines).toEqual(
      expect.arrayContaining([
        '2 status of T silent',
        '3 clients wait in vain',
        '7 first network score about T',
        '9 network scores about T from all others',
        '17 T Disconnected',
      ]),
    );
    expect(lines).not.toContainEqual(expect.stringContaining('refused'));
  });

  it('around a killed PD leader: no client notices, and the new one has an empty memory', () => {
    expect(linesOf('pd_leader_kill', 'during')).toEqual([
      '1 PD lists no stores',
      '1 a PD member refuses',
      '1 PD says "redirect failed"',
      '1 PD calls a member unhealthy',
      '13 PD has another leader',
      '13 all stores Disconnected',
      '13 no store has a slow_score',
      '24 all stores Up again',
    ]);
    expect(linesOf('pd_leader_kill', 'after')).toEqual(['1.7 PD calls all members healthy']);
  });

  it('around two killed PD members: what is missing comes back only after they do', () => {
    expect(linesOf('two_pds_killed', 'after')).toEqual([
      '2.9 PD calls all members healthy',
      '3.9 PD has a leader',
      '3.9 all stores Disconnected',
      '16.9 all stores Up',
      '16.9 every store has a slow_score',
    ]);
  });

  it('counts only what a fault adds: high network scores of an earlier one are no event', () => {
    const names = sequenceOf(readRows('pd_leader_kill')).map(({ event }) => event.name);
    expect(names.filter((name) => name.includes('network'))).toEqual([]);
  });
});
