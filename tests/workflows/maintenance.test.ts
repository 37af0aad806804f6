import { expect, it } from '@jest/globals';
import { type DeskState, maintenanceOf, openTickets } from '../../src/domain/desk.js';
import type { MaintenanceRequest, MaintenanceWindow } from '../../src/domain/maintenance.js';
import { MESSAGES } from '../../workflows/contract.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { type DeskRun, withDesk as runDesk } from './desk-run.js';
import { violation } from './ticket-double.js';

/** A history is long after forty events instead of four thousand. */
const temporal = withTemporal({ config: { 'limit.historyCount.suggestContinueAsNew': '40' } });
let subjects = 0;

type Desk = DeskRun & { maintain(part?: Partial<MaintenanceRequest>): Promise<MaintenanceWindow> };

/** Its subject has tikv-2 and tikv-3. */
function withDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  subjects += 1;
  return runDesk(temporal, { subject: `kept-${subjects}`, firstNumber: 1 }, (desk) =>
    work({
      ...desk,
      maintain: (part = {}) => {
        const request = { target: 'tikv-2', forMs: 60_000, by: 'ana', reason: 'kernel upgrade', ...part };
        return desk.handle.executeUpdate<MaintenanceWindow, [MaintenanceRequest]>(MESSAGES.maintain, {
          args: [request],
        });
      },
    }),
  );
}

const DOWN = violation('store-up');
const recordedIn = (state: DeskState) => maintenanceOf(state).open.flatMap(({ recorded }) => recorded);

it('records what is violated in a maintenance window, and files what is left when its time is over', async () => {
  await withDesk(async (desk) => {
    await desk.report([]);
    expect(await desk.maintain({ forMs: 2_000 })).toMatchObject({ id: 'm1', target: 'tikv-2', by: 'ana' });
    await desk.report([DOWN, violation('store-up', 'tikv-3')]);
    const during = await desk.settled('the ticket of the other store', (state) => state.tickets.length === 1);
    expect(during.tickets.map(({ target }) => target)).toEqual(['tikv-3']);
    expect(recordedIn(during)).toMatchObject([{ violation: DOWN, isActive: true }]);
    const after = await desk.settled('the rest to be filed', (state) => state.tickets.length === 2);
    expect(after.tickets[1]).toMatchObject({ target: 'tikv-2', active: [DOWN] });
    expect(maintenanceOf(after)).toMatchObject({ open: [], past: [{ id: 'm1' }] });
  });
});

it('files nothing that was over before its end, when a person ends it', async () => {
  await withDesk(async (desk) => {
    await desk.report([]);
    await desk.maintain();
    await desk.report([DOWN]);
    await desk.settled('the record', (state) => recordedIn(state).length === 1);
    await desk.report([], { judged: ['store-up'] });
    await desk.settled('its end', (state) => recordedIn(state)[0]?.isActive === false);
    await desk.handle.executeUpdate(MESSAGES.endMaintenance, { args: [{ id: 'm1', by: 'bob' }] });
    const after = await desk.settled('the window to be over', (state) => maintenanceOf(state).past.length === 1);
    expect(maintenanceOf(after).past).toMatchObject([{ id: 'm1', endedBy: 'bob', recorded: [{ isActive: false }] }]);
    await desk.report([DOWN]);
    expect((await desk.settled('a ticket', (state) => state.tickets.length === 1)).nextNumber).toBe(2);
  });
});

it('keeps its windows when it begins a new history', async () => {
  await withDesk(async (desk) => {
    await desk.report([]);
    const { runId } = await desk.handle.describe();
    await desk.maintain();
    const isNew = async () => (await desk.handle.describe()).runId !== runId;
    await until(
      'a new history',
      async () => {
        await desk.report([DOWN]);
        return (await isNew()) || undefined;
      },
      { deadlineMs: 20_000 },
    );
    const state = await desk.settled('the record', (now) => recordedIn(now).length === 1);
    expect(openTickets(state)).toEqual([]);
    await desk.handle.executeUpdate(MESSAGES.endMaintenance, { args: [{ id: 'm1', by: 'ana' }] });
    await desk.settled('what is left to be filed', ({ tickets }) => tickets[0]?.active[0]?.invariant === 'store-up');
  });
});

it('refuses a window on nothing, without an end, or that is over', async () => {
  await withDesk(async (desk) => {
    await desk.report([]);
    await expect(desk.maintain({ target: 'tikv-9' })).rejects.toMatchObject({
      cause: { type: 'MEDIC_MAINTENANCE_TARGET', message: expect.stringContaining('it has tikv-2, tikv-3') },
    });
    await expect(desk.maintain({ forMs: -1 })).rejects.toMatchObject({ cause: { type: 'MEDIC_MAINTENANCE_SHAPE' } });
    await expect(
      desk.handle.executeUpdate(MESSAGES.endMaintenance, { args: [{ id: 'm7', by: 'ana' }] }),
    ).rejects.toMatchObject({ cause: { type: 'MEDIC_MAINTENANCE_UNKNOWN' } });
    expect((await desk.maintain({ target: null })).id).toBe('m1');
  });
});
