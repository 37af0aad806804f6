import { describe, expect, it } from '@jest/globals';
import { parseStoreArgs } from '../../../../../subjects/tikv/lab/store/args.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';

const LINE = [
  ...['--name', 'tikv-1', '--data-dir', 'data', '--addr', '127.0.0.1:20161', '--status-addr', '127.0.0.1:20181'],
  ...['--pd', 'http://127.0.0.1:1,http://127.0.0.1:2', '--profile', 'fast', '--regions', '24'],
  ...['--seed-stores', 'tikv-0,tikv-1', '--seed-addrs', '127.0.0.1:20160,127.0.0.1:20161'],
];

describe('the start line of a store', () => {
  it('is read whole', () => {
    expect(parseStoreArgs(LINE)).toMatchObject({
      name: 'tikv-1',
      pd: ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
      profile: { name: 'fast' },
      regions: 24,
      regionMib: 0,
      seeds: [
        { name: 'tikv-0', address: '127.0.0.1:20160' },
        { name: 'tikv-1', address: '127.0.0.1:20161' },
      ],
    });
  });

  it('may call a silent peer down after another time than the profile says', () => {
    const { profile } = parseStoreArgs([...LINE, '--max-peer-down-ms', '3000']);
    expect(profile).toEqual({ ...PROFILES.fast, cluster: { ...PROFILES.fast.cluster, peerDownMs: 3_000 } });
    expect(() => parseStoreArgs([...LINE, '--max-peer-down-ms', '3s'])).toThrow(
      '--max-peer-down-ms 3s: a number of ms above 0 is needed',
    );
  });

  it('names the option that is missing', () => {
    expect(() => parseStoreArgs(LINE.slice(2))).toThrow('--name is missing');
  });

  it('refuses a profile that does not exist', () => {
    const line = LINE.map((word) => (word === 'fast' ? 'slow' : word));
    expect(() => parseStoreArgs(line)).toThrow('--profile slow: there are only real and fast');
  });

  it('refuses names and addresses of different number', () => {
    const line = LINE.map((word) => (word === 'tikv-0,tikv-1' ? 'tikv-0' : word));
    expect(() => parseStoreArgs(line)).toThrow('--seed-stores and --seed-addrs differ in length');
  });
});
