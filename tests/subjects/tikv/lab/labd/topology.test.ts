import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { portCandidates } from '../../../../../subjects/tikv/lab/labd/ports.js';
import { startLine } from '../../../../../subjects/tikv/lab/labd/start-line.js';
import { maxStores, PORTS_PER_LAB, planNodes, topologyOf } from '../../../../../subjects/tikv/lab/labd/topology.js';

const shape = { pds: 3, stores: 4, regions: 24, regionMib: 0 };
const nodes = planNodes({ dir: '/lab', basePort: 21_000, shape });
const scripts = { pd: 'pd.js', store: 'store.js' };

describe('the plan of a lab', () => {
  it('puts every node on a port of its own inside the block', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 3, max: 14 }), (pds, wanted) => {
        const stores = Math.min(wanted, maxStores(pds));
        const plan = planNodes({ dir: '/lab', basePort: 21_000, shape: { ...shape, pds, stores } });
        const urls = plan.flatMap(({ address, peerUrl, statusAddress }) =>
          [address, peerUrl, statusAddress].flatMap((at) => at ?? []),
        );
        const ports = urls.map((url) => Number(url.split(':').at(-1)));
        expect(new Set(ports).size).toBe(2 * (pds + stores));
        expect(Math.min(...ports)).toBeGreaterThan(21_000);
        expect(Math.max(...ports)).toBeLessThan(21_000 + PORTS_PER_LAB);
      }),
    );
  });

  it('tells readers where PD and the stores are', () => {
    const topology = topologyOf({ dir: '/lab', profile: 'fast', nodes });
    expect(topology.pd[1]).toEqual({ name: 'pd-1', clientUrl: 'http://127.0.0.1:21003' });
    expect(topology.stores[3]).toEqual({
      name: 'tikv-3',
      address: '127.0.0.1:21013',
      statusAddress: '127.0.0.1:21014',
    });
    expect(topology).toMatchObject({ profile: 'fast', dir: '/lab', host: 'lab' });
  });

  it('tries the block it had before, then one that follows from the folder, then all others once', () => {
    const [own, ...rest] = portCandidates({ dir: '/lab' });
    expect(portCandidates({ dir: '/lab' })[0]).toBe(own);
    expect(portCandidates({ dir: '/other' })[0]).not.toBe(own);
    expect(portCandidates({ dir: '/lab', kept: rest[4] }).slice(0, 2)).toEqual([rest[4], own]);
    expect(new Set(portCandidates({ dir: '/lab', kept: rest[4] })).size).toBe(rest.length + 1);
    expect(portCandidates({ dir: '/lab', explicit: 5_000, kept: own })).toEqual([5_000]);
  });

  it('stays below the ephemeral ports, of which an outgoing connection could take one while a node is down', () => {
    expect(Math.max(...portCandidates({ dir: '/lab' })) + PORTS_PER_LAB).toBeLessThanOrEqual(32_768);
  });
});

describe('the start line', () => {
  const lineOf = (name: string) => {
    const node = nodes.find((each) => each.name === name);
    if (!node) throw new Error(name);
    return startLine({ node, nodes, scripts, profile: 'fast', shape: { regions: 24, regionMib: 96 } }).join(' ');
  };

  it('gives a PD its own addresses and those of the whole group', () => {
    expect(lineOf('pd-0')).toContain(
      'pd.js --name pd-0 --data-dir /lab/data/pd-0 --client-url http://127.0.0.1:21001 --peer-url http://127.0.0.1:21002 ' +
        '--initial-cluster pd-0=http://127.0.0.1:21002,pd-1=http://127.0.0.1:21004,pd-2=http://127.0.0.1:21006 ' +
        '--initial-clients pd-0=http://127.0.0.1:21001,pd-1=http://127.0.0.1:21003,pd-2=http://127.0.0.1:21005 --profile fast',
    );
  });

  it('gives a store its ports, all PDs and the seed layout', () => {
    expect(lineOf('tikv-2')).toContain(
      'store.js --name tikv-2 --data-dir /lab/data/tikv-2 --addr 127.0.0.1:21011 --status-addr 127.0.0.1:21012 ' +
        '--pd http://127.0.0.1:21001,http://127.0.0.1:21003,http://127.0.0.1:21005 --profile fast ' +
        '--seed-stores tikv-0,tikv-1,tikv-2,tikv-3 ' +
        '--seed-addrs 127.0.0.1:21007,127.0.0.1:21009,127.0.0.1:21011,127.0.0.1:21013 --regions 24 --region-mib 96',
    );
  });
});
