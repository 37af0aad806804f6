import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Peer, RegionReport } from '../../../../../../subjects/tikv/lab/pd/model.js';
import {
  addPeer,
  leaveJoint,
  movePeer,
  removePeer,
  transferLeader,
} from '../../../../../../subjects/tikv/lab/pd/schedule/build.js';
import { StoreLimits } from '../../../../../../subjects/tikv/lab/pd/schedule/limits.js';
import type { Draft, Operator } from '../../../../../../subjects/tikv/lab/pd/schedule/operator.js';
import { Operators } from '../../../../../../subjects/tikv/lab/pd/schedule/operators.js';
import type { Order } from '../../../../../../subjects/tikv/lab/pd/schedule/order.js';
import { scheduleTimes } from '../../../../../../subjects/tikv/lab/pd/schedule/times.js';
import { PROFILES } from '../../../../../../subjects/tikv/profiles.js';
import { report } from '../samples.js';

const times = scheduleTimes(PROFILES.real.cluster);
const REGION = report({ id: 2, range: ['', ''], version: 3, confVer: 5, term: 6 });
const NEW = { storeId: 4, peerId: 99 };

let nowMs: number;
let known: RegionReport;
let sent: Order[];
let dead: number[];
let operators: Operators;

beforeEach(() => {
  [nowMs, known, sent, dead] = [1_000_000, REGION, [], []];
  const limits = new StoreLimits({ minuteMs: times.limitMinuteMs, state: () => ({ limits: {} }), nowMs: () => nowMs });
  operators = new Operators({
    times,
    limits,
    region: (id) => (id === known.region.id ? known : undefined),
    isAlive: (storeId) => !dead.includes(storeId),
    nowNs: () => BigInt(nowMs) * 1_000_000n,
    send: (order) => sent.push(order),
    onChange: () => undefined,
  });
});

const wish = { desc: 'test', kinds: ['region'], priority: 'balance', report: REGION } as const;
const transfer = (to = 2): Draft => transferLeader({ ...wish, kinds: ['leader'] }, { to });
const move = (from = 3): Draft => movePeer(wish, { from, to: NEW, newLeader: 2, joint: 'on' })!;

/** The region reports itself with other peers, or another leader. */
function hear({
  peers = known.region.peers,
  confVer = known.region.epoch.confVer,
  leader = 1,
  pending = [] as number[],
  version = 3,
}): void {
  const region = { ...known.region, peers, epoch: { confVer, version } };
  known = {
    ...known,
    region,
    leader: peers.find(({ storeId }) => storeId === leader) ?? null,
    pendingPeers: peers.filter(({ storeId }) => pending.includes(storeId)),
  };
  operators.hear(known);
}

function pass(ms: number): void {
  nowMs += ms;
  operators.push();
}

const commands = () => sent.map(({ command }) => command);
const last = (): Operator => operators.records.at(-1)!;
const with4 = (role: Peer['role']): Peer[] => [...REGION.region.peers, { id: 99, storeId: 4, role }];

describe('an operator', () => {
  it('is told to the store whose peer leads, with the region as PD knows it, and ends when the region shows it', () => {
    expect(operators.add(transfer())).toBe('added');
    expect(sent).toEqual([
      {
        storeId: 1,
        regionId: 2,
        epoch: { confVer: 5, version: 3 },
        target: { id: 21, storeId: 1, role: 'Voter' },
        command: { kind: 'transfer-leader', peer: { id: 22, storeId: 2, role: 'Voter' }, peers: [] },
      },
    ]);
    hear({ leader: 2 });
    expect([last().status, operators.running]).toEqual(['SUCCESS', []]);
  });

  it('moves a voter in four steps: a learner, a joint change, leaving it, and the end of the old peer', () => {
    operators.add(move());
    hear({ peers: with4('Learner'), confVer: 6 });
    hear({
      peers: with4('IncomingVoter').map((peer) => (peer.storeId === 3 ? { ...peer, role: 'DemotingVoter' } : peer)),
      confVer: 8,
    });
    hear({
      peers: with4('Voter').map((peer) => (peer.storeId === 3 ? { ...peer, role: 'Learner' } : peer)),
      confVer: 10,
    });
    hear({ peers: with4('Voter').filter(({ storeId }) => storeId !== 3), confVer: 11 });
    expect(commands()).toEqual([
      { kind: 'change-peers', changes: [{ type: 'AddLearnerNode', peer: { id: 99, storeId: 4, role: 'Learner' } }] },
      {
        kind: 'change-peers',
        changes: [
          { type: 'AddNode', peer: { id: 99, storeId: 4, role: 'Voter' } },
          { type: 'AddLearnerNode', peer: { id: 23, storeId: 3, role: 'Learner' } },
        ],
      },
      { kind: 'change-peers', changes: [] },
      { kind: 'change-peers', changes: [{ type: 'RemoveNode', peer: { id: 23, storeId: 3, role: 'Learner' } }] },
    ]);
    expect(last().status).toBe('SUCCESS');
  });

  it('goes on when a store entered and left the joint state in one go', () => {
    operators.add(move());
    hear({ peers: with4('Learner'), confVer: 6 });
    hear({
      peers: with4('Voter').map((peer) => (peer.storeId === 3 ? { ...peer, role: 'Learner' } : peer)),
      confVer: 10,
    });
    expect(commands().at(-1)).toMatchObject({ changes: [{ type: 'RemoveNode' }] });
  });

  it('moves the leader away before the joint change if its peer is to go', () => {
    operators.add(move(1));
    hear({ peers: with4('Learner'), confVer: 6 });
    expect(commands().at(-1)).toMatchObject({ kind: 'transfer-leader', peer: { storeId: 2 } });
    hear({ leader: 2 });
    expect(sent.at(-1)).toMatchObject({
      storeId: 2,
      command: { changes: [{ type: 'AddNode' }, { type: 'AddLearnerNode' }] },
    });
  });

  it('does two plain changes without joint consensus', () => {
    expect(movePeer(wish, { from: 3, to: NEW, newLeader: null, joint: 'off' })?.steps.map(({ kind }) => kind)).toEqual([
      'add-learner',
      'promote-learner',
      'remove-peer',
    ]);
  });

  it('waits with the promotion until the learner has its data', () => {
    operators.add(addPeer(wish, { ...NEW, role: 'Voter' }));
    hear({ peers: with4('Learner'), confVer: 6, pending: [4] });
    expect(commands().at(-1)).toMatchObject({ changes: [{ type: 'AddLearnerNode' }] });
    hear({});
    expect(commands().at(-1)).toMatchObject({ changes: [{ type: 'AddNode' }] });
  });

  it('is told again with every heartbeat, and every 2 or 5 seconds without', () => {
    operators.add(transfer());
    hear({});
    expect(sent).toHaveLength(2);
    pass(1_500);
    expect(sent).toHaveLength(2);
    pass(500);
    expect(sent).toHaveLength(3);
    operators.cancel(2, 'enough');
    operators.add(move());
    pass(4_500);
    expect(sent).toHaveLength(4);
    pass(500);
    expect(sent).toHaveLength(5);
  });

  it('follows the leader: the step goes to whoever leads now', () => {
    operators.add(removePeer(wish, { from: 3, newLeader: null })!);
    hear({ leader: 2 });
    expect(sent.map(({ storeId }) => storeId)).toEqual([1, 2]);
  });

  it('times out: a transfer after 60 s, an added peer after 10 min', () => {
    operators.add(transfer());
    pass(60_000);
    expect(operators.has(2)).toBe(true);
    pass(2_500);
    expect(last().status).toBe('TIMEOUT');
    operators.add(move());
    pass(600_000);
    expect(operators.has(2)).toBe(true);
    pass(6_000);
    expect(last().status).toBe('TIMEOUT');
  });

  it('takes its time for a region of more than 100 MiB', () => {
    operators.add({ ...move(), report: { ...REGION, approximateSize: 148 } });
    expect(operators.running[0]?.timeoutMs).toEqual([888_000, 264_000, 264_000, 88_000]);
  });

  it.each([
    ['conf_ver grew more than the steps explain', () => hear({ confVer: 6 })],
    ['the region was split', () => hear({ version: 4 })],
    [
      'another peer is on the store',
      () => hear({ peers: [...REGION.region.peers, { id: 7, storeId: 4, role: 'Learner' }] }),
    ],
  ])('is cancelled when %s', (_why, happens) => {
    operators.add(move());
    happens();
    expect([last().status, last().reason]).toEqual(['CANCEL', expect.any(String)]);
  });

  it('is cancelled when its target is Down, when it would remove the leader, and when the region is gone', () => {
    operators.add(move());
    dead = [4];
    hear({});
    expect(last().reason).toBe('target store is down or gone');
    operators.add(removePeer(wish, { from: 3, newLeader: null })!);
    hear({ leader: 3 });
    expect(last().reason).toBe('cannot remove leader peer');
    operators.add(transfer());
    known = report({ id: 3, range: ['', ''], version: 9 });
    pass(2_000);
    expect(last().reason).toBe('region not found');
  });

  it('tolerates that conf_ver grew less than it should', () => {
    operators.add(move());
    hear({ peers: with4('Learner'), confVer: 5 });
    expect(operators.has(2)).toBe(true);
  });
});

describe('the operators of a leader', () => {
  it('are one per region: the first one stays unless the next one matters more', () => {
    operators.add(transfer());
    expect(operators.add(transfer(3))).toBe('region-busy');
    expect(operators.add({ ...transfer(3), priority: 'repair' })).toBe('added');
    expect(operators.add({ ...transfer(2), priority: 'repair' })).toBe('region-busy');
    expect(operators.add({ ...transfer(2), priority: 'admin' })).toBe('added');
    expect(operators.records.map(({ status }) => status)).toEqual(['REPLACE', 'REPLACE']);
  });

  it('do not start for a region that changed or is gone', () => {
    const old = { ...REGION, region: { ...REGION.region, epoch: { confVer: 4, version: 3 } } };
    expect(operators.add({ ...transfer(), report: old })).toBe('region-changed');
    expect(operators.add({ ...transfer(), report: report({ id: 9, range: ['', ''], version: 1 }) })).toBe(
      'region-gone',
    );
  });

  it('are remembered for 10 minutes after their end', () => {
    operators.add(transfer());
    operators.cancel(2, 'enough');
    pass(599_000);
    expect(operators.records).toHaveLength(1);
    pass(2_000);
    expect(operators.records).toEqual([]);
  });

  it('leave a joint state that was left behind', () => {
    known = {
      ...REGION,
      region: {
        ...REGION.region,
        peers: REGION.region.peers.map((peer) => (peer.storeId === 3 ? { ...peer, role: 'DemotingVoter' } : peer)),
      },
    };
    operators.add(leaveJoint({ ...wish, report: known }, null)!);
    expect(commands()).toEqual([{ kind: 'change-peers', changes: [] }]);
    hear({ leader: 3 });
    expect(last().reason).toBe('cannot demote leader peer');
    expect(leaveJoint({ ...wish, report: known }, 2)?.steps.map(({ kind }) => kind)).toEqual([
      'transfer-leader',
      'leave-joint',
    ]);
  });
});

describe('store limits', () => {
  const sized = (approximateSize: number): Draft => ({ ...move(), report: { ...REGION, approximateSize } });
  let perMinute: number;
  const limits = () => {
    perMinute = 15;
    const each = () => ({ 'add-peer': perMinute, 'remove-peer': perMinute });
    return new StoreLimits({
      minuteMs: 60_000,
      state: () => ({ limits: { 3: each(), 4: each() } }),
      nowMs: () => nowMs,
    });
  };

  it('let one large region pass, and the next one after 4 s', () => {
    const bucket = limits();
    expect([bucket.take(sized(96)), bucket.take(sized(96)), bucket.hasRoom(4, 'add-peer')]).toEqual([
      true,
      false,
      false,
    ]);
    nowMs += 3_900;
    expect(bucket.take(sized(96))).toBe(false);
    nowMs += 200;
    expect(bucket.take(sized(96))).toBe(true);
  });

  it('let five regions of up to 20 MiB pass instead, and empty ones for nothing', () => {
    const bucket = limits();
    expect(Array.from({ length: 6 }, () => bucket.take(sized(20)))).toEqual([true, true, true, true, true, false]);
    expect(bucket.take(sized(1))).toBe(true);
  });

  it('begin anew when somebody changes them: 200 a minute are 3 at once', () => {
    const bucket = limits();
    expect([bucket.take(sized(96)), bucket.take(sized(96))]).toEqual([true, false]);
    perMinute = 200;
    expect(Array.from({ length: 4 }, () => bucket.take(sized(96)))).toEqual([true, true, true, false]);
  });
});
