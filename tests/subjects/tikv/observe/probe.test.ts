import { afterEach, describe, expect, it } from '@jest/globals';
import { type ProbeClient, type ServiceProbe, startServiceProbe } from '../../../../subjects/tikv/observe/probe.js';
import { until } from '../../../support/until.js';

const ADDRESS = '127.0.0.1:20160';
const storeAt = (address: string) => (address === ADDRESS ? 'tikv-0' : null);
const KEYS = ['t00-probe', 't01-probe', 't02-probe', 't03-probe'];

/** A store in memory whose keys can be made to fail. */
function memory({ failing = {} as Record<string, string>, losesWrites = false } = {}) {
  const kept = new Map<string, string>();
  const most = { now: 0, ever: 0 };
  const client: ProbeClient = {
    async put(key, value) {
      most.now += 1;
      most.ever = Math.max(most.ever, most.now);
      await new Promise((resolve) => setImmediate(resolve));
      most.now -= 1;
      if (failing[key]) return { ok: false, reason: 'gave-up', failures: [{ kind: failing[key] }] };
      if (!losesWrites) kept.set(key, value);
      return { ok: true, value: null, address: ADDRESS };
    },
    get: async (key) => ({ ok: true, value: kept.get(key) ?? null, address: ADDRESS }),
  };
  return { client, most };
}

const tried = (probe: ServiceProbe, regions = KEYS.length) =>
  until(
    `${regions} regions were tried`,
    () => {
      const reading = probe.reading();
      return reading.known && reading.value.regionsOk + reading.value.regionsFailed === regions ? true : undefined;
    },
    { seen: () => probe.reading() },
  );

const open: ServiceProbe[] = [];
afterEach(() => {
  for (const probe of open.splice(0)) probe.close();
});

function start(client: ProbeClient): ServiceProbe {
  const probe = startServiceProbe({ client, keys: KEYS, roundMs: 40, inFlight: 2, clock: Date.now, storeAt });
  open.push(probe);
  return probe;
}

describe('the service probe', () => {
  it('knows nothing until each region was tried, then says that all are served', async () => {
    const probe = start(memory().client);
    expect(probe.reading()).toMatchObject({ known: false, reason: expect.stringContaining('0 of 4 regions tried') });
    await tried(probe);
    expect(probe.reading()).toMatchObject({ value: { regionsOk: 4, regionsFailed: 0, errors: {} }, source: 'probe' });
  });

  it('tells how fast each store served, by its name', async () => {
    const probe = start(memory().client);
    await tried(probe);
    expect(probe.reading()).toMatchObject({ value: { byStore: { 'tikv-0': expect.any(Number) } } });
  });

  it('counts failed regions by kind', async () => {
    const probe = start(memory({ failing: { 't01-probe': 'NotLeader', 't02-probe': 'GaveUp' } }).client);
    await tried(probe);
    expect(probe.reading()).toMatchObject({
      value: { regionsOk: 2, regionsFailed: 2, errors: { NotLeader: 1, GaveUp: 1 } },
    });
  });

  it('knows of a failure before every region was tried', async () => {
    const { client } = memory({ failing: { 't00-probe': 'NotLeader' } });
    const hangs = { ...client, get: () => new Promise<never>(() => undefined) };
    const probe = start(hangs);
    await tried(probe, 1);
    expect(probe.reading()).toMatchObject({ value: { regionsOk: 0, regionsFailed: 1 } });
  });

  it('calls an acknowledged write that cannot be read lost', async () => {
    const probe = start(memory({ losesWrites: true }).client);
    await tried(probe);
    expect(probe.reading()).toMatchObject({ value: { regionsOk: 0, errors: { 'write-lost': 4 } } });
  });

  it('does not know any more when its tries hang', async () => {
    let hang = false;
    const { client } = memory();
    const probe = start({
      ...client,
      put: (key, value) => (hang ? new Promise(() => undefined) : client.put(key, value)),
    });
    await tried(probe);
    hang = true;
    await until('the last tries are stale', () => (probe.reading().known ? undefined : true));
  });

  it('never has more tries under way than allowed', async () => {
    const { client, most } = memory();
    const probe = start(client);
    await tried(probe);
    expect(most.ever).toBeLessThanOrEqual(2);
  });
});
