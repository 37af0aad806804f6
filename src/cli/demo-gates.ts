import type { Client } from '@temporalio/client';
import { TIKV } from '../../subjects/tikv/subject.js';
import { deskId, QUERIES } from '../../workflows/contract.js';
import { type DeskState, openTickets } from '../domain/desk.js';
import { MedicError } from '../domain/errors.js';
import type { TicketId } from '../domain/ids.js';

const POLL_MS = 200;
const FILING = TIKV.invariants.filter((invariant) => invariant.use === 'files').length;

/**
 * Waits until the patrol has seen every invariant hold often enough to judge it, and nothing is broken or suspect: a
 * fault that is injected earlier would be tangled with the start.
 */
export async function quietGate(client: Client, withinMs: number): Promise<{ judged: number; tookMs: number }> {
  const began = performance.now();
  const last = await poll(
    client,
    withinMs,
    ({ lastReport }) => lastReport?.quiet === true && lastReport.judged >= FILING,
  );
  return { judged: last.lastReport?.judged ?? 0, tookMs: performance.now() - began };
}

/** The first ticket that the desk files; `null`: none in this time. */
export async function firstTicket(client: Client, withinMs: number): Promise<TicketId | null> {
  const desk = await poll(client, withinMs, (seen) => openTickets(seen).length > 0).catch((error: unknown) => {
    if (error instanceof MedicError) return null;
    throw error;
  });
  return (desk && openTickets(desk)[0]?.id) ?? null;
}

async function poll(client: Client, withinMs: number, done: (desk: DeskState) => boolean): Promise<DeskState> {
  const until = performance.now() + withinMs;
  let seen = 'the desk has not answered yet';
  while (performance.now() < until) {
    const desk = await client.workflow
      .getHandle(deskId('tikv'))
      .query<DeskState>(QUERIES.desk)
      .catch(() => null);
    if (desk && done(desk)) return desk;
    if (desk)
      seen = `last report ${JSON.stringify(desk.lastReport)}, tickets ${desk.tickets.map((t) => t.id).join() || 'none'}`;
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
  throw new MedicError('MEDIC_LAB_UNHEALTHY', `waited ${withinMs / 1000} s for the patrol: ${seen}`);
}
