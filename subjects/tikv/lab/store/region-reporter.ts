import type { Clock } from './clock.js';
import type { PeerMeta, RegionMeta } from './layout.js';
import type { PeerHealth } from './peer-health.js';

/** What a leader tells PD about its region. */
export interface RegionReport extends PeerHealth {
  readonly meta: RegionMeta;
  readonly leaderPeer: PeerMeta;
  readonly term: number;
  readonly approximateBytes: number;
  readonly approximateKeys: number;
}

export interface RegionReporterOptions {
  /** All regions that are led from here and can speak for themselves. */
  readonly ledRegions: () => readonly RegionReport[];
  /** Unchanged regions are reported again after this time. */
  readonly intervalMs: number;
  readonly send: (report: RegionReport) => void;
  readonly clock: Clock;
}

/** Decides which region heartbeats are due: on the interval, and soon after PD would learn something new. */
export interface RegionReporter {
  /** Something may have changed. */
  notice(): void;
  /** Something changed that PD waits for: no settling. */
  urge(): void;
  /** PD has a new stream: it must hear everything again. */
  resendAll(): void;
  stop(): void;
}

/** Changes of one moment, such as a new leader and the first answers of its followers, make one heartbeat. */
const SETTLE_MS = 100;
/** How often the interval is looked at, in parts of it. */
const LOOKS_PER_INTERVAL = 24;

interface Sent {
  readonly fingerprint: string;
  readonly at: number;
}

/** Starts looking at once. */
export function startRegionReporter(options: RegionReporterOptions): RegionReporter {
  const { clock, intervalMs } = options;
  let sent = new Map<number, Sent>();
  let settling: NodeJS.Timeout | undefined;

  function look(): void {
    clearTimeout(settling);
    settling = undefined;
    const now = clock.monotonicMs();
    const led = options.ledRegions();
    const still = new Map<number, Sent>();
    for (const report of led) {
      const last = sent.get(report.meta.id);
      const fingerprint = fingerprintOf(report);
      const due = last === undefined || last.fingerprint !== fingerprint || now - last.at >= intervalMs;
      if (due) options.send(report);
      still.set(report.meta.id, due ? { fingerprint, at: now } : last);
    }
    sent = still;
  }

  const timer = setInterval(look, intervalMs / LOOKS_PER_INTERVAL);
  return {
    notice() {
      settling ??= setTimeout(look, SETTLE_MS);
    },
    urge: look,
    resendAll() {
      sent = new Map();
      look();
    },
    stop() {
      clearInterval(timer);
      clearTimeout(settling);
    },
  };
}

/** Everything that PD must hear about at once; sizes and seconds are not among it. */
function fingerprintOf({ meta, term, leaderPeer, pending, down }: RegionReport): string {
  const peers = [pending.map(({ id }) => id), down.map(({ peer }) => peer.id)];
  return JSON.stringify([meta.confVer, meta.version, term, leaderPeer.id, ...peers]);
}
