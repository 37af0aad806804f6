import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { killOrder, killTimes, recordedRows } from './kill-rows.js';

const recording = JSON.parse(
  readFileSync(new URL('../../../../fixtures/tikv-recordings/node_kill.json', import.meta.url), 'utf8'),
);
const rows = recordedRows(recording, '1');

describe('the recording of a killed store', () => {
  it('shows the events in this order', () => {
    const times = killTimes(rows, recording.healed_at_s);
    expect(killOrder(times, 3)).toEqual([
      ['clients refused', 'peers report failures', 'status refused'],
      ['first leader elsewhere', 'first pending peer'],
      ['Disconnected', 'last leader elsewhere'],
      ['nothing pending', 'status answers'],
      ['Up and busy'],
      ['not busy'],
    ]);
  });

  it('counts one pending peer for each leader that left', () => {
    for (const { s, leaders, pending } of rows.filter(({ s }) => s >= 0 && s < 60)) {
      expect({ s, sum: leaders + pending }).toEqual({ s, sum: 13 });
    }
  });
});
