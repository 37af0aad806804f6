import { describe, expect, it } from '@jest/globals';
import { freeze } from '../../bench/durability/freeze.js';
import type { TargetWish } from '../../chaos/protocol.js';
import type { TicketId } from '../../src/domain/ids.js';
import { deskId, MESSAGES } from '../../workflows/contract.js';
import { slowLabctl, withMedic } from '../support/medic.js';
import { until } from '../support/until.js';

const medic = withMedic();

const store = (n: number): TargetWish => ({ pick: 'named', name: `tikv-${n}` });
const startsOf = async (node: string) => (await medic.running.lab.inspect(node)).starts;

/** The repair ran once: one more process start by labd's count, and one entry in the host's journal. */
async function expectRepairedOnce(
  ticket: TicketId,
  { node, starts, journal }: { node: string; starts: number; journal: readonly string[] },
): Promise<void> {
  expect(await medic.result(ticket)).toMatchObject({
    phase: 'resolved',
    proof: { result: 'healthy', causeGone: true },
  });
  expect((await startsOf(node)) - starts).toBe(1);
  expect(medic.journal().filter((entry) => !journal.includes(entry))).toHaveLength(1);
}

async function beforeKill(node: string) {
  await medic.quiet();
  return { node, starts: await startsOf(node), journal: medic.journal() };
}

describe('a worker killed with -9', () => {
  it('while investigating, and its next while proving: the ticket goes on and ends resolved, repaired once', async () => {
    const was = await beforeKill('tikv-0');
    const restore = slowLabctl(medic.running.labDir, 'inspect', 2);
    await medic.kill(store(0));
    const ticket = await medic.nextTicket();
    await medic.event(ticket, 'its first turn', (e) => e.type === 'thought');
    await medic.killChild('worker');
    restore();
    await medic.event(ticket, 'the first proof sample', (e) => e.type === 'sampled');
    await medic.killChild('worker');
    await expectRepairedOnce(ticket, was);
    await medic.record('worker-killed-while-investigating', ticket);
  }, 240_000);

  it("right before the act, at the gate: nothing ran, and then it runs once, also when Temporal's server dies in the proof", async () => {
    const was = await beforeKill('tikv-1');
    const desk = medic.running.client.workflow.getHandle(deskId('tikv'));
    await desk.signal(MESSAGES.freeze, { by: 'test', reason: 'to stand at the gate' });
    await medic.kill(store(1));
    const ticket = await medic.nextTicket();
    await medic.event(ticket, 'the shut gate', (e) => e.type === 'gate' && !e.granted);
    expect(await startsOf('tikv-1')).toBe(was.starts);
    await medic.killChild('worker');
    await desk.signal(MESSAGES.unfreeze, { by: 'test' });
    await medic.event(ticket, 'the first proof sample', (e) => e.type === 'sampled');
    // It comes back with its database.
    await medic.killChild('temporal');
    await expectRepairedOnce(ticket, was);
    await medic.record('worker-killed-at-the-gate', ticket);
  }, 240_000);

  it('during the act: the command ends by itself, its effect is looked at instead of repeated, and a sleep of all in the proof is slept through', async () => {
    const was = await beforeKill('tikv-2');
    const restore = slowLabctl(medic.running.labDir, 'start', 4);
    await medic.kill(store(2));
    const ticket = await medic.nextTicket();
    await medic.event(ticket, 'the open gate', (e) => e.type === 'gate' && e.granted);
    await untilJournalled(was.journal);
    await medic.killChild('worker');
    await medic.event(ticket, 'the first proof sample', (e) => e.type === 'sampled');
    await sleepOfAll(6_000);
    await expectRepairedOnce(ticket, was);
    restore();
    await medic.record('worker-killed-during-the-act', ticket);
    const acted = (await medic.book.trail(ticket)).flatMap((e) => (e.type === 'acted' ? [e.outcome] : []));
    expect(acted).toEqual(['unknown']);
  }, 240_000);
});

/** As a laptop that is shut: server, worker, lab and all its nodes stand still. */
async function sleepOfAll(ms: number): Promise<void> {
  const thaw = freeze(Object.values(medic.running.processes()));
  try {
    const end = Date.now() + ms;
    await until('the end of the sleep', () => Date.now() >= end || undefined, { deadlineMs: 2 * ms, everyMs: 250 });
  } finally {
    thaw();
  }
}

async function untilJournalled(known: readonly string[]): Promise<void> {
  await until('the command to be journalled', () => medic.journal().find((e) => !known.includes(e)), {
    deadlineMs: 60_000,
  });
}
