import { expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeskwork, type DeskworkDeps } from '../../activities/deskwork.js';
import type { OtherTicket } from '../../src/domain/digest.js';
import { ticketId } from '../../src/domain/ids.js';
import { lampRoom } from './toy-room.js';

const LIMITS = { turns: 1, looks: 1, acts: 1, tokens: 1, usd: 1, wallMs: 1 };

function deskwork(open: readonly OtherTicket[]) {
  const unused = () => Promise.reject(new Error('not asked here'));
  const deps: DeskworkDeps = {
    rooms: new Map([['lamp', lampRoom({ on: true, serial: 's' }, '/bin')]]),
    desk: { report: unused, lease: unused, release: unused, recentRuns: unused, openTickets: async () => open },
    archive: {} as DeskworkDeps['archive'],
    admission: async () => ({ environment: 'lab', agent: 'keeper', limits: LIMITS }),
    waits: async () => ({ expireMs: 5, escalation: [{ afterMs: 3, tell: ['pager'] }] }),
    history: unused,
    tell: async () => {},
    now: Date.now,
  };
  return createDeskwork(deps);
}

it('an admission records the closed list of causes of its subject', async () => {
  const admitted = await deskwork([]).admit({ subject: 'lamp', ticket: ticketId('lamp', 1) });
  expect(admitted).toMatchObject({ agent: 'keeper', limits: LIMITS, causes: ['lamp-dark'] });
});

it('an admission records how long people are waited for, and what medic.yaml does not say stays as it is', async () => {
  const { times } = await deskwork([]).admit({ subject: 'lamp', ticket: ticketId('lamp', 1) });
  const { times: usual } = lampRoom({ on: true, serial: 's' }, '/bin');
  expect(times).toEqual({ ...usual, expireMs: 5, escalation: [{ afterMs: 3, tell: ['pager'] }] });
});

it('a turn opens with the other open tickets, not with its own', async () => {
  const [own, other] = [1, 2].map((n) => ({ ticket: ticketId('lamp', n), target: 'lamp' })) as [
    OtherTicket,
    OtherTicket,
  ];
  const env = new MockActivityEnvironment({ workflowExecution: { workflowId: 'ticket/lamp/1', runId: 'run-1' } });
  const opened = await env.run(() => deskwork([own, other]).openTurn({ ticket: own.ticket, turn: 1 }));
  expect(opened).toEqual({ run: 'run-1', others: [other] });
});
