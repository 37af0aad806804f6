import type { Evidence } from '../src/domain/evidence.js';
import { instant, subjectOf } from '../src/domain/ids.js';
import type { Call } from '../src/domain/query.js';
import { describeEvidence } from '../src/evidence/describe.js';
import type { EvidenceStore } from '../src/evidence/store.js';
import { collect, whyNoExit } from '../src/host/collect.js';
import type { LookActivities, PictureSeen } from '../workflows/activity-contract.js';
import { cancellation } from './cancellation.js';
import { brokenIn, unknownIn } from './health.js';
import { type Room, type Rooms, roomOf } from './room.js';
import { currentRun } from './run-id.js';
import { storing } from './storing.js';

export interface LookDeps {
  readonly rooms: Rooms;
  readonly evidence: EvidenceStore;
  /** Values masked wherever they turn up. */
  readonly secrets: readonly string[];
  readonly now: () => number;
  /** `null`: the call is a read and may run; else why not. */
  readonly refuses: (room: Room, call: Call) => string | null;
  readonly onLook: (call: Call) => void;
}

const LOOK_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 256 * 1024;

/** Read-only queries. A non-zero exit, a refusal or a silent port is evidence, not a failure. */
export function createLook(deps: LookDeps): Pick<LookActivities, 'look' | 'lookAtPicture'> {
  const describe = (seen: Parameters<typeof describeEvidence>[0]) =>
    storing(describeEvidence(seen, { store: deps.evidence, known: deps.secrets }));

  return {
    async look({ ticket, id, call }): Promise<Evidence> {
      const room = roomOf(deps.rooms, subjectOf(ticket));
      const began = deps.now();
      const answer = await ask(deps, room, call);
      deps.onLook(call);
      const says = isGood(call, answer) ? room.subject.describeAnswer?.(call, answer.body) : null;
      return describe({
        id,
        at: instant(began),
        call,
        durationMs: deps.now() - began,
        ...answer,
        ...(says ? { says } : {}),
      });
    },

    async lookAtPicture({ ticket, id }): Promise<PictureSeen> {
      const room = roomOf(deps.rooms, subjectOf(ticket));
      const began = deps.now();
      const picture = await room.eyes.observe('placement', cancellation());
      const lines = room.subject.summary(picture);
      const evidence = await describe({
        id,
        at: instant(began),
        host: 'picture',
        call: null,
        exit: 0,
        durationMs: deps.now() - began,
        body: JSON.stringify(picture),
      });
      return {
        run: currentRun(),
        evidence: { ...evidence, line: lines.join(' · ').slice(0, 200), head: '', tail: '' },
        lines,
        broken: brokenIn(room.subject, picture, instant(began)),
        unknown: unknownIn(room.subject, picture),
        expected: room.subject.expectations?.(picture) ?? [],
      };
    },
  };
}

/** Exit 0 or HTTP 2xx, and whole. */
function isGood(call: Call, { exit, failure }: Answer): boolean {
  if (exit === null || failure !== undefined) return false;
  return call.kind === 'shell' ? exit === 0 : exit >= 200 && exit < 300;
}

type Answer = Pick<Parameters<typeof describeEvidence>[0], 'host' | 'exit' | 'body' | 'failure'>;

async function ask(deps: LookDeps, room: Room, call: Call): Promise<Answer> {
  const host = call.kind === 'shell' ? call.host : (call.node ?? call.api);
  if (call.kind === 'shell' && room.hostless) return { host, exit: null, body: '', failure: room.hostless };
  const refused = deps.refuses(room, call);
  if (refused) return { host, exit: null, body: '', failure: refused };
  return call.kind === 'shell' ? askHost(room, call) : askHttp(room, call);
}

async function askHttp(room: Room, call: Extract<Call, { kind: 'http' }>): Promise<Answer> {
  const answer = await room.eyes.http(call, cancellation());
  return {
    host: answer.node ?? call.node ?? call.api,
    exit: answer.status,
    body: answer.body,
    ...(answer.failure === undefined ? {} : { failure: answer.failure }),
  };
}

async function askHost(room: Room, call: Extract<Call, { kind: 'shell' }>): Promise<Answer> {
  const host = room.hosts.get(call.host);
  if (!host) return { host: call.host, exit: null, body: '', failure: `no host named ${call.host}` };
  const { outcome, output } = await collect(
    host,
    { command: call.command, timeoutMs: LOOK_TIMEOUT_MS, maxBytes: MAX_BODY_BYTES },
    cancellation(),
  );
  const failure = whyNoExit(outcome);
  return { host: call.host, exit: outcome.exitCode, body: output, ...(failure === null ? {} : { failure }) };
}
