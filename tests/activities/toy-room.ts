import { dirname } from 'node:path';
import { execPath } from 'node:process';
import type { Room } from '../../activities/room.js';
import type { Check } from '../../src/domain/violation.js';
import { createLocalHost } from '../../src/host/local.js';
import type { Judged, Subject } from '../../subjects/protocol.js';

/** A subject of one lamp, which is on or off, and a switch on a real local host: a file that is there or not. */
export interface Lamp {
  /** `null`: nobody can tell. */
  on: boolean | null;
  /** Who the lamp is; another serial is another lamp. */
  serial: string;
}

const verdict = (lamp: Lamp, wanted: boolean): Judged =>
  lamp.on === null
    ? { verdict: 'unknown', reason: 'nobody can see the lamp' }
    : { verdict: lamp.on === wanted ? 'yes' : 'no', reason: `the lamp is ${lamp.on ? 'on' : 'off'}` };

const lampIsOn = (lamp: Lamp): Check => ({
  invariant: 'lamp-on',
  known: lamp.on !== null,
  broken: lamp.on === false ? [{ target: 'lamp', severity: 'high', message: 'the lamp is off' }] : [],
});

export const LAMP_SUBJECT: Subject<Lamp> = {
  name: 'lamp',
  invariants: [{ name: 'lamp-on', title: 'the lamp is on', use: 'files', check: lampIsOn }],
  causes: [{ class: 'lamp-dark', title: 'it is dark', isGone: (lamp) => verdict(lamp, true) }],
  actions: [
    {
      name: 'switch-on',
      describe: (target) => `switch ${target} on`,
      cures: ['lamp-dark'],
      precondition: (lamp) => verdict(lamp, false),
      call: (target) => ({ kind: 'shell', host: 'house', command: `switch on ${target}` }),
      inverse: () => ({ kind: 'none', why: 'light harms nobody' }),
      isDone: (lamp) => verdict(lamp, true),
      timeoutMs: 5_000,
    },
    {
      name: 'light',
      describe: (target) => `light ${target}`,
      cures: ['lamp-dark'],
      precondition: (lamp) => verdict(lamp, false),
      call: (target) => ({ kind: 'http', api: 'house', method: 'POST', path: `/light/${target}` }),
      inverse: () => ({ kind: 'none', why: 'light harms nobody' }),
      isDone: (lamp) => verdict(lamp, true),
      timeoutMs: 5_000,
    },
  ],
  commandRows: [
    {
      program: 'switch',
      classify: ({ words }) => ({
        kind: 'mutate',
        influence: { touches: [words[2]?.text ?? ''], takesAway: [] },
        reversible: true,
        restorative: true,
      }),
    },
  ],
  httpRows: [
    {
      api: 'house',
      method: 'POST',
      path: /^\/light\//,
      classify: () => ({
        kind: 'mutate',
        influence: { touches: ['lamp'], takesAway: [] },
        reversible: true,
        restorative: true,
      }),
    },
  ],
  rules: [],
  quorum: () => ({ observedAt: new Date().toISOString(), groups: [], members: [], gap: null }),
  identity: (lamp) => [{ fact: 'serial', value: lamp.serial, compare: 'equal' }],
  summary: (lamp) => [`the lamp is ${lamp.on === null ? 'unknown' : lamp.on ? 'on' : 'off'}`],
  promptContext: '',
};

/** `bin` holds the `switch` program of the test. */
export function lampRoom(lamp: Lamp, bin: string): Room<Lamp> {
  const host = createLocalHost({ name: 'house', path: `${bin}:${dirname(execPath)}:/usr/bin:/bin` });
  return {
    subject: LAMP_SUBJECT,
    eyes: {
      observe: async () => ({ ...lamp }),
      http: async () => ({ status: 200, body: 'ok', node: 'lamp' }),
      close: async () => {},
    },
    hosts: new Map([['house', host]]),
    endpoints: {},
    reasoner: { name: 'none', reason: () => Promise.reject(new Error('nobody thinks here')) },
    sampling: { sampleMs: 20, graceSamples: 2, clearSamples: 3 },
    times: {
      proof: { samples: 1, windowMs: 1, sampleMs: 1, deadlineMs: 1 },
      stabilityMs: 1,
      remindMs: 1,
      expireMs: 1,
      gateRetryMs: 1,
      gateGiveUpMs: 1,
    },
  };
}
