import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOT_AVAILABLE } from '../../../src/domain/evidence.js';
import { gap } from '../../../src/domain/reading.js';
import { isWhole } from '../../../src/domain/violation.js';
import { advance, type Findings, NOTHING_WATCHED, type WatchState } from '../../../src/domain/watching.js';
import type { SubjectEyes } from '../../../subjects/protocol.js';
import { hostless } from '../../../subjects/tikv/hostless.js';
import { createStoreClient, type StoreClient } from '../../../subjects/tikv/lab/store/client.js';
import { regionKey } from '../../../subjects/tikv/lab/store/layout.js';
import { discover } from '../../../subjects/tikv/observe/discover.js';
import { createTikvEyes } from '../../../subjects/tikv/observe/eyes.js';
import { gentlenessOf } from '../../../subjects/tikv/observe/gently.js';
import { type ServiceProbe, startServiceProbe } from '../../../subjects/tikv/observe/probe.js';
import type { RunOnHost } from '../../../subjects/tikv/observe/witness.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { withLab } from '../../support/lab.js';
import { until } from '../../support/until.js';

const { watch } = PROFILES.fast;
const FILING = TIKV.invariants.filter(({ use }) => use === 'files');

/** One lab through one kill; each test goes on from the one before. */
describe('the eyes on a live lab', () => {
  let eyes: SubjectEyes<TikvPicture>;
  let client: StoreClient;
  let probe: ServiceProbe;
  let patrol: Patrol;
  let killedAt: number;

  // Before the lab's own: those who ask go first, and nobody waits for a cluster that is gone.
  afterAll(async () => {
    await patrol?.stop();
    probe?.close();
    client?.close();
    await eyes?.close();
  });

  const test = withLab();

  beforeAll(() => {
    const topology = test.lab.topology();
    client = createStoreClient({ pd: topology.pd.map(({ clientUrl }) => clientUrl), attemptMs: 500, giveUpMs: 2_000 });
    const keys = Array.from({ length: 24 }, (_, region) => regionKey(region, '-probe'));
    probe = startServiceProbe({
      client,
      keys,
      roundMs: watch.sampleMs,
      inFlight: keys.length,
      clock: Date.now,
      storeAt: () => null,
    });
    const inventory = { subject: 'tikv', host: topology.host, pd: topology.pd, stores: topology.stores } as const;
    const runOnHost = labctlIn(join(test.dir, 'bin'));
    eyes = createTikvEyes({ inventory, profile: PROFILES.fast, runOnHost, probe, clock: Date.now });
    patrol = startPatrol(eyes);
  });

  it('judge everything, and find nothing wrong', async () => {
    await until('every invariant that files is judged and nothing is wrong', () => isCalm(patrol.findings()), {
      deadlineMs: 30_000,
      seen: patrol.seen,
    });
    expect(patrol.findings().judged).toEqual(expect.arrayContaining(FILING.map(({ name }) => name)));
  }, 40_000);

  it('see who holds what, and every member alive', async () => {
    const { gap, groups } = await until(
      'a whole quorum picture with every member alive and in order',
      async () => {
        const seen = TIKV.quorum(await eyes.observe('placement'));
        return seen.members.every(({ alive, impaired }) => alive === 'yes' && impaired === null) ? seen : undefined;
      },
      { deadlineMs: 20_000, everyMs: 200, seen: patrol.seen },
    );
    expect(gap).toBeNull();
    expect(groups).toHaveLength(25);
    expect(groups.every(({ voters, need }) => voters.length === 3 && need === 2)).toBe(true);
  }, 25_000);

  it('know all of it from outside, too: from PD and open ports, with nobody on its hosts', async () => {
    const { pd, stores } = test.lab.topology();
    const endpoints = [pd[1]!.clientUrl];
    const times = { requestMs: watch.requestMs, clock: Date.now };
    const found = await discover({ ...times, endpoints, access: () => ({}), hostNames: new Map() });
    if (!found.known) throw new Error(found.reason);
    const { inventory } = found.value;
    expect(inventory.stores.map(({ address }) => address).sort()).toEqual(stores.map(({ address }) => address).sort());
    const at = new Date().toISOString();
    const outside = createTikvEyes({
      inventory,
      profile: PROFILES.fast,
      runOnHost: async () => ({ exitCode: null, stdout: '', stderr: '', failure: `${NOT_AVAILABLE}nobody` }),
      probe: { reading: () => gap(`${NOT_AVAILABLE}nothing is written`, { at, source: 'probe' }) },
      clock: Date.now,
      gently: gentlenessOf(PROFILES.fast, { members: inventory.pd.length, endpoints }),
    });
    const subject = hostless(TIKV, 'prod');
    const filing = subject.invariants.filter(({ use }) => use === 'files');
    let seen: unknown;
    await until(
      'a picture from outside in which everything that files is judged and holds',
      async () => {
        const picture = await outside.observe('vitals');
        const checks = filing.map((invariant) => invariant.check(picture));
        seen = { checks, lines: subject.summary(picture) };
        return checks.every((check) => isWhole(check) && check.broken.length === 0) || undefined;
      },
      { deadlineMs: 15_000, everyMs: 200, seen: () => seen },
    );
    await outside.close();
  }, 20_000);

  it('make a killed store an active violation within 5 s', async () => {
    const { pid } = await test.lab.inspect('tikv-2');
    killedAt = performance.now();
    process.kill(pid ?? Number.NaN, 'SIGKILL');
    await until('tikv-2 is an active violation', () => (patrol.targets().includes('tikv-2') ? true : undefined), {
      deadlineMs: 15_000,
      seen: patrol.seen,
    });
    expect(performance.now() - killedAt).toBeLessThan(5_000);
  }, 20_000);

  it('have one target for the whole trouble, from its first sign to PD calling it Disconnected', async () => {
    await until(
      'PD calls tikv-2 Disconnected for the whole grace',
      () => (patrol.names().includes('store-up tikv-2') ? true : undefined),
      { deadlineMs: 20_000, seen: patrol.seen },
    );
    expect(patrol.names()).toEqual(expect.arrayContaining(['store-reachable tikv-2', 'store-up tikv-2']));
    expect(new Set(patrol.everTargeted())).toEqual(new Set(['tikv-2']));
  }, 25_000);

  it('see the cause gone, and everything well, only after the store serves again', async () => {
    const isGone = TIKV.causes.find((cause) => cause.class === 'process-dead')!.isGone;
    expect(isGone(await eyes.observe('vitals'), 'tikv-2').verdict).toBe('no');
    await test.lab.start('tikv-2');
    const gone = await until(
      'the cause is gone',
      async () => {
        const judged = isGone(await eyes.observe('vitals'), 'tikv-2');
        return judged.verdict === 'yes' ? judged : undefined;
      },
      { deadlineMs: 20_000, everyMs: 200, seen: patrol.seen },
    );
    expect(gone.reason).toContain('PD had a heartbeat of the process that started at');
    await until('nothing is active nor suspect and everything is judged', () => isCalm(patrol.findings()), {
      deadlineMs: 30_000,
      seen: patrol.seen,
    });
  }, 60_000);
});

const isCalm = ({ active, suspect, judged }: Findings): true | undefined =>
  active.length + suspect.length === 0 && judged.length >= FILING.length ? true : undefined;

interface Patrol {
  findings(): Findings;
  /** Targets of what is active now. */
  targets(): readonly (string | null)[];
  /** `store-up tikv-2` of what is active now. */
  names(): readonly string[];
  /** Declared targets of everything that was ever active. */
  everTargeted(): readonly string[];
  seen(): unknown;
  stop(): Promise<void>;
}

/** Samples at the pace of the profile, as the watch does. */
function startPatrol(eyes: SubjectEyes<TikvPicture>): Patrol {
  let state: WatchState = NOTHING_WATCHED;
  let findings: Findings = { active: [], suspect: [], judged: [] };
  let lines: readonly string[] = [];
  const targeted = new Set<string>();
  let isOver = false;
  const sample = async () => {
    const picture = await eyes.observe('vitals');
    const checks = FILING.map((invariant) => invariant.check(picture));
    const { graceSamples, clearSamples } = watch;
    ({ state, findings } = advance(state, checks, { subject: 'tikv', at: picture.at, graceSamples, clearSamples }));
    lines = TIKV.summary(picture);
    for (const { target } of findings.active) if (target !== null) targeted.add(target);
  };
  const run = async () => {
    while (!isOver) {
      const next = performance.now() + watch.sampleMs;
      await sample();
      await new Promise((later) => setTimeout(later, Math.max(0, next - performance.now())));
    }
  };
  const running = run();
  return {
    findings: () => findings,
    targets: () => findings.active.map(({ target }) => target),
    names: () => findings.active.map(({ invariant, target }) => `${invariant} ${target ?? '-'}`),
    everTargeted: () => [...targeted],
    seen: () => ({ ...findings, lines }),
    stop: () => {
      isOver = true;
      return running;
    },
  };
}

/** Runs `labctl ...` of this lab, as the host transport does. */
function labctlIn(bin: string): RunOnHost {
  return (command, { timeoutMs, signal }) =>
    new Promise((resolve) => {
      const [program = '', ...args] = command.split(' ');
      execFile(join(bin, program), args, { timeout: timeoutMs, signal }, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ exitCode, stdout, stderr, ...(exitCode === null ? { failure: String(error) } : {}) });
      });
    });
}
