import { randomUUID } from 'node:crypto';
import type { Fault } from '../protocol.js';

/** The baseline: whatever is found then was made up. */
export const none: Fault<Record<string, never>> = {
  name: 'none',
  describe: 'Nothing is done: no ticket may be filed.',
  targets: 'nothing',
  rightEnd: { kind: 'no-ticket' },
  supports: async () => ({ supported: true }),
  async inject({ lab, record }) {
    const injection = {
      id: `none-${randomUUID().slice(0, 8)}`,
      fault: 'none',
      target: '-',
      labId: lab.labId,
      labDir: lab.lab.dir,
      at: new Date().toISOString(),
      detail: {},
    };
    record(injection);
    return injection;
  },
  confirm: async () => ({ confirmed: true, seen: 'nothing was done' }),
  truth: async () => 'gone',
  heal: async () => ({ outcome: 'nothing-to-do', seen: 'nothing was done' }),
};
