import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createLook } from '../../activities/look.js';
import { createSample } from '../../activities/sample.js';
import { createWatch } from '../../activities/watch.js';
import { evidenceId, ticketId } from '../../src/domain/ids.js';
import type { Report } from '../../src/domain/violation.js';
import type { DeskPort } from '../../workflows/contract.js';
import { until } from '../support/until.js';
import { type Lamp, lampRoom } from './toy-room.js';

const roomsOf = (lamp: Lamp) => new Map([['lamp', lampRoom(lamp, '/nowhere')]]);

describe('the watch', () => {
  /** Watches a lamp while the test changes it; `deaf` makes the desk unreachable. */
  async function watching(
    lamp: Lamp,
    work: (reports: Report[], desk: { deaf: boolean; samples: number }) => Promise<void>,
  ): Promise<void> {
    const reports: Report[] = [];
    const desk = { deaf: false, samples: 0 };
    const port: Pick<DeskPort, 'report'> = {
      report: async (report) => {
        if (desk.deaf) throw new Error('the server is down');
        reports.push(report);
      },
    };
    const env = new MockActivityEnvironment();
    const watch = createWatch({
      rooms: roomsOf(lamp),
      desk: port as DeskPort,
      now: Date.now,
      onSample: () => {
        desk.samples += 1;
      },
      warn: () => {},
    });
    const ended = env
      .run(() => watch.watch({ subject: 'lamp' }))
      .then(
        () => 'done',
        (error: Error) => error.name,
      );
    await work(reports, desk);
    env.cancel('CANCELLED');
    expect(await ended).toBe('CancelledFailure');
  }
  const report = (reports: Report[], what: string, is: (r: Report) => boolean) =>
    until(what, () => reports.find(is), { deadlineMs: 10_000 });

  /** Long enough for anything to be reported. */
  const moreSamples = (desk: { samples: number }) => {
    const from = desk.samples;
    return until('ten more samples', () => (desk.samples >= from + 10 ? true : undefined), { deadlineMs: 10_000 });
  };

  it('reports the whole truth on change and is silent in between', async () => {
    const lamp: Lamp = { on: true, serial: 's' };
    await watching(lamp, async (reports, desk) => {
      await report(reports, 'the judged invariant', (r) => r.judged.length === 1);
      const before = reports.length;
      await moreSamples(desk);
      expect(reports.length).toBe(before);
      lamp.on = false;
      const bad = await report(reports, 'the violation', (r) => r.active.length === 1);
      expect(bad.active[0]).toMatchObject({ invariant: 'lamp-on', target: 'lamp', fingerprint: 'lamp:lamp-on:lamp' });
      lamp.on = true;
      await report(reports, 'the clear', (r) => r.seq > bad.seq && r.active.length === 0 && r.suspect.length === 0);
      expect(reports.map((r) => r.seq)).toEqual(reports.map((_, i) => i + 1));
      expect(new Set(reports.map((r) => r.watch)).size).toBe(1);
    });
  });

  it('tells again what the desk could not hear', async () => {
    const lamp: Lamp = { on: true, serial: 's' };
    await watching(lamp, async (reports, desk) => {
      await report(reports, 'the judged invariant', (r) => r.judged.length === 1);
      desk.deaf = true;
      lamp.on = false;
      await moreSamples(desk);
      desk.deaf = false;
      await report(reports, 'the violation', (r) => r.active.length === 1);
    });
  });

  it('neither files nor clears while nobody can see', async () => {
    const lamp: Lamp = { on: false, serial: 's' };
    await watching(lamp, async (reports) => {
      const bad = await report(reports, 'the judged violation', (r) => r.active.length === 1 && r.judged.length === 1);
      lamp.on = null;
      const blind = await report(reports, 'the blind report', (r) => r.seq > bad.seq && r.judged.length === 0);
      expect(blind.active).toHaveLength(1);
    });
  });
});

describe('a look', () => {
  const look = (lamp: Lamp, refused: string | null = null) =>
    createLook({
      rooms: roomsOf(lamp),
      evidence: {
        put: async (body) => ({ sha256: 'x', bytes: body.length }),
        get: async () => '',
        has: async () => true,
      },
      secrets: [],
      now: Date.now,
      refuses: () => refused,
      onLook: () => {},
    });
  const inActivity = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment().run(work);
  const ask = { ticket: ticketId('lamp', 1), id: evidenceId(3) };

  it('records exit codes, silence and unknown hosts as evidence', async () => {
    const lamp: Lamp = { on: true, serial: 's' };
    const failing = await inActivity(() =>
      look(lamp).look({ ...ask, call: { kind: 'shell', host: 'house', command: 'exit 4' } }),
    );
    expect(failing).toMatchObject({ id: 'e3', exit: 4, host: 'house', tainted: true });
    const missing = await inActivity(() =>
      look(lamp).look({ ...ask, call: { kind: 'shell', host: 'moon', command: 'true' } }),
    );
    expect(missing).toMatchObject({ exit: null, failure: 'no host named moon' });
  });

  it('that policy refuses runs nothing and says why', async () => {
    const seen = await inActivity(() =>
      look({ on: true, serial: 's' }, 'MEDIC_POLICY_PHASE: it is no read').look({
        ...ask,
        call: { kind: 'shell', host: 'house', command: 'touch /tmp/never' },
      }),
    );
    expect(seen).toMatchObject({ exit: null, failure: 'MEDIC_POLICY_PHASE: it is no read' });
  });

  it('at the picture tells what is broken in it and what cannot be told', async () => {
    const off = await inActivity(() => look({ on: false, serial: 's' }).lookAtPicture(ask));
    expect(off.broken.map((v) => v.fingerprint)).toEqual(['lamp:lamp-on:lamp']);
    const blind = await inActivity(() => look({ on: null, serial: 's' }).lookAtPicture(ask));
    expect(blind).toMatchObject({ broken: [], unknown: ['lamp-on'], lines: ['the lamp is unknown'] });
  });
});

describe('a proof sample', () => {
  const sample = (on: boolean | null, cause = { class: 'lamp-dark', target: 'lamp' }) =>
    new MockActivityEnvironment().run(() =>
      createSample({ rooms: roomsOf({ on, serial: 's' }), now: Date.now }).sample({
        ticket: ticketId('lamp', 1),
        cause,
        since: 'now',
      }),
    );

  it('is three-valued in health and in the cause', async () => {
    expect(await sample(true)).toMatchObject({ healthy: 'yes', causeGone: 'yes', broken: [] });
    expect(await sample(false)).toMatchObject({ healthy: 'no', causeGone: 'no', broken: ['lamp:lamp-on:lamp'] });
    expect(await sample(null)).toMatchObject({ healthy: 'unknown', causeGone: 'unknown' });
    expect(await sample(true, { class: 'other', target: 'lamp' })).toMatchObject({
      healthy: 'yes',
      causeGone: 'unknown',
    });
  });
});
