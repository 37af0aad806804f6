import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { createLook } from '../../activities/look.js';
import type { Room } from '../../activities/room.js';
import { createArchive } from '../../src/evidence/archive.js';
import { createFileStore } from '../../src/evidence/file-store.js';
import { createLocalHost } from '../../src/host/local.js';
import { MESSAGES } from '../../workflows/contract.js';
import { lampRoom } from '../activities/toy-room.js';
import { type SmallDisk, withSmallDisk } from '../support/small-disk.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { archiving } from './archiving.js';
import { type AllActivities, activityDoubles, goodSample, noCounts, ticketInput } from './ticket-double.js';
import { type Handle, inPhase, status, withTicket } from './ticket-run.js';

const temporal = withTemporal();

/** Looking and archiving are the real ones, on the small disk. */
function storingOn({ home }: SmallDisk, doubles: AllActivities): AllActivities {
  const lamp = lampRoom({ on: false, serial: 's1' }, '/bin');
  const host = createLocalHost({ name: 'lab', path: '/usr/bin:/bin' });
  const rooms = new Map([['tikv', { ...lamp, hosts: new Map([['lab', host]]) } as Room]]);
  const look = createLook({
    ...{ rooms, evidence: createFileStore({ home }), secrets: [], now: Date.now },
    ...{ refuses: () => null, onLook: () => {} },
  });
  return { ...doubles, ...look, ...archiving({ home, history: async () => null }) };
}

/** The step that cannot be done now, and why, as the Temporal UI shows it. */
const stuck = (ticket: Handle, step: string) =>
  until(
    `${step} to fail for want of space`,
    async () => {
      const { raw } = await ticket.describe();
      const pending = raw.pendingActivities?.find(({ activityType }) => activityType?.name === step);
      return pending?.lastFailure?.message ?? undefined;
    },
    { deadlineMs: 12_000 },
  );

const SAID = /^MEDIC_DISK_FULL {2}.* could not be written: no space is left \(ENOSPC\)\. Make room there/;

describe('a ticket whose evidence cannot be stored, because the disk is full', () => {
  it('waits, says why and what to do, and goes on to its end when there is room; its archive, too', () =>
    withSmallDisk(async (disk) => {
      const counts = noCounts();
      const doubles = activityDoubles(counts);
      let samples = 0;
      doubles.sample = async () => {
        samples += 1;
        if (samples === 3) disk.fill();
        return goodSample();
      };
      disk.fill();
      const input = ticketInput();
      await withTicket(temporal, { activities: storingOn(disk, doubles), input }, async (ticket) => {
        expect(await stuck(ticket, 'lookAtPicture')).toMatch(SAID);
        expect(await status(ticket)).toMatchObject({ phase: 'investigating' });
        disk.makeRoom();
        expect(await stuck(ticket, 'archive')).toMatch(SAID);
        const archive = createArchive(disk);
        expect(await archive.list()).toEqual([]);
        expect(await status(ticket)).toMatchObject({ phase: 'resolved' });
        expect((await ticket.describe()).status.name).toBe('RUNNING');
        disk.makeRoom();
        expect(await ticket.result()).toMatchObject({ phase: 'resolved', proof: { result: 'healthy' } });
        const archived = await archive.load(input.filing.id);
        expect(archived?.phase).toBe('resolved');
        expect(archived?.trail.map(({ type }) => type)).toEqual(expect.arrayContaining(['filed', 'acted', 'proof']));
      });
      expect(counts).toMatchObject({ acts: 1, notices: ['filed', 'closed'] });
    }));

  it('is handed over with the code and the next step when no try was of any use, and goes on with a hint', async () => {
    const counts = noCounts();
    const doubles = activityDoubles(counts);
    const { lookAtPicture } = doubles;
    let isFull = true;
    let pictures = 0;
    doubles.lookAtPicture = async (input) => {
      pictures += 1;
      if (pictures > 1 && isFull)
        throw ApplicationFailure.nonRetryable('MEDIC_DISK_FULL  x. Make room there', 'MEDIC_DISK_FULL');
      return lookAtPicture(input);
    };
    await withTicket(temporal, { activities: doubles }, async (ticket) => {
      const { brief } = await inPhase(ticket, 'escalated');
      expect(brief).toContain('the picture of the subject could not be taken: MEDIC_DISK_FULL  x. Make room there');
      isFull = false;
      await ticket.signal(MESSAGES.hint, { by: 'ana', text: 'there is room again' });
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(counts.acts).toBe(1);
  });
});
