import { describe, expect, it } from '@jest/globals';
import { printTicket } from '../../../src/cli/show.js';
import { ticketTable, waitsFor } from '../../../src/cli/tickets.js';
import { archivedStatus } from '../../../src/runtime/archived-status.js';
import type { TicketStatus } from '../../../workflows/contract.js';
import { archivedKill, BOARDS, KILLED_STORE, PROPOSAL } from '../../support/killed-store.js';
import { paper } from './paper.js';

const NOW = Date.parse(KILLED_STORE.filedAt) + 130_000;
const CLOSED = archivedStatus(archivedKill());
const AWAITING: TicketStatus = {
  ...CLOSED,
  phase: 'awaiting-approval',
  waitsFor: 'you, until then',
  proof: null,
  pending: {
    proposal: PROPOSAL,
    ruling: { kind: 'needs-approval', reason: 'no policy row' },
    basis: [{ fact: 'tikv-0 process', value: 'exited', compare: 'equal' }],
    basisHash: 'cafe',
    expiresAt: '2026-01-02T03:35:15.000Z',
    run: 'run-1',
    need: { people: 2, unsigned: false, who: ['ana', 'ben', 'eva'] },
    approvals: [
      {
        proposal: PROPOSAL.id,
        answer: 'approve',
        by: 'ana',
        note: 'go',
        basisHash: 'cafe',
        expiresAt: '2026-01-02T03:30:00.000Z',
        signature: 's',
      },
    ],
  },
};

describe('medic show', () => {
  it('is a closed ticket on one screen, its board, its proof and where to read on', () => {
    const { screen, out } = paper();
    printTicket({ status: CLOSED, board: BOARDS.settled, home: '/x', now: NOW }, screen);
    expect(out()).toEqual([
      'tikv/7  resolved  severity high · opened 2 m ago',
      'symptom   tikv-0 does not answer on its status port (connection refused)',
      'active    nothing',
      'board     H1 process-dead/tikv-0    0.30 → 0.95  supported  for e2 e3  against -: the host shows tikv-0 exited 137, died',
      '          H2 process-frozen/tikv-0  0.30 → 0.02  refuted by e2: there is no process to be frozen',
      'proof     healthy; cause gone: yes',
      'used      2 turns · 2 looks · 1 act · 0.00 $',
      'report    /x/tickets/tikv-7.md',
      'next      ./medic trail tikv/7 --home /x',
      '          ./medic replay tikv/7 --home /x',
    ]);
  });

  it('has everything that is needed to answer a proposal', () => {
    const { screen, out } = paper();
    printTicket({ status: AWAITING, board: [], home: '.medic', now: NOW }, screen);
    expect(out()[0]).toBe('tikv/7  awaiting-approval  severity high · opened 2 m ago · waits for you, 29 m left');
    expect(out().slice(4, -3)).toEqual([
      'plan #1   start the store tikv-0',
      '          test    e2; would have refuted it: a process that runs',
      '          weighed process-frozen/tikv-0: refuted, there is no process to be frozen',
      '          step 1  lab$ labctl start tikv-0 (undo: none, restorative: it takes nothing away)',
      '          ruling  needs-approval: no policy row',
      '          effect  tikv-0 runs again',
      '          risk    none for the others',
      '          basis   tikv-0 process=exited',
      '          who     two people of ana, ben, eva',
      '          yes     ana, until 2026-01-02T03:30:00.000Z',
      '          answer  ./medic approve tikv/7 --reason TEXT',
      '                  ./medic deny tikv/7 --reason TEXT',
      '          by hand proposal 11111111-2222-4333-8444-555555555555 · basis cafe',
    ]);
  });

  it('shows a proposal that is still being judged without a way to answer it', () => {
    const { screen, out } = paper();
    const pending = { ...AWAITING.pending!, ruling: null, expiresAt: null };
    printTicket({ status: { ...AWAITING, pending }, board: [], home: '/x', now: NOW }, screen);
    expect(out().join('\n')).toContain('ruling  being judged');
    expect(out().join('\n')).not.toContain('medic approve');
  });

  it('ends with the brief of an escalated ticket', () => {
    const { screen, out } = paper();
    const brief = 'tikv/7 needs a person: nothing fits\n\nsymptom   x';
    printTicket({ status: { ...AWAITING, phase: 'escalated', brief }, board: [], home: '/x', now: NOW }, screen);
    expect(out().join('\n')).toMatch(/\n\ntikv\/7 needs a person: nothing fits\n\nsymptom {3}x$/);
  });

  it.each([80, 160])('fits into a terminal of %d columns, with a brief and a proposal', (columns) => {
    const { screen, out } = paper({ columns });
    const brief = `tikv/7 needs a person: ${'nothing fits and '.repeat(12)}that is all`;
    const status = { ...AWAITING, waitsFor: 'somebody', brief, symptom: 'no region answers '.repeat(12) };
    printTicket({ status, board: BOARDS.settled, home: '/x', now: NOW }, screen);
    printTicket({ status: CLOSED, board: BOARDS.settled, home: '/x', now: NOW }, screen);
    for (const line of out()) expect(line.length).toBeLessThanOrEqual(columns);
    expect(out().join(' ').replaceAll(/\s+/g, ' ')).toContain(brief);
  });
});

describe('medic tickets', () => {
  it('has one row a ticket, with the leading belief and what it waits for', () => {
    expect(ticketTable([CLOSED, { ...AWAITING, belief: null }], NOW).rows).toEqual([
      ['tikv/7', 'resolved', CLOSED.symptom, 'process-dead/tikv-0 (0.95)', '2 m', '-'],
      ['tikv/7', 'awaiting-approval', CLOSED.symptom, '-', '2 m', 'you, 29 m left'],
    ]);
  });

  it('says what the ticket says when no answer is awaited', () => {
    expect(waitsFor({ ...CLOSED, waitsFor: 'the proof' }, NOW)).toBe('the proof');
  });
});
