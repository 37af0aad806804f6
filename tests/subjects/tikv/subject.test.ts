import { describe, expect, it } from '@jest/globals';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import {
  died,
  fact,
  healthy,
  justKilled,
  leadership,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  region,
  secondsAgo,
  withPd,
  withStore,
  witness,
} from './pictures.js';

const member = (picture: TikvPicture, id: string) => TIKV.quorum(picture).members.find((one) => one.id === id);
const silentInPd = (seconds: number) => ({
  pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(seconds) }),
});

describe('the quorum picture', () => {
  it('holds PD and each region as groups that need their majority', () => {
    const { groups, gap } = TIKV.quorum(healthy());
    expect(gap).toBeNull();
    expect(groups).toEqual([
      { id: 'pd', voters: ['pd-0', 'pd-1', 'pd-2'], need: 2, behind: [] },
      { id: 'region-14', voters: ['tikv-1', 'tikv-2', 'tikv-3'], need: 2, behind: [] },
      { id: 'region-18', voters: ['tikv-0', 'tikv-1', 'tikv-2'], need: 2, behind: [] },
      { id: 'region-22', voters: ['tikv-0', 'tikv-1', 'tikv-3'], need: 2, behind: [] },
    ]);
  });

  it('calls pending and down voters behind, and counts no learner', () => {
    const pending = {
      ...region('14', ['tikv-1', 'tikv-2', 'tikv-3'], ['tikv-2']),
      down: ['tikv-3'],
      learners: ['tikv-0'],
    };
    const { groups } = TIKV.quorum({ ...healthy(), placement: fact({ regions: [pending] }) });
    expect(groups[1]).toMatchObject({ need: 2, voters: ['tikv-1', 'tikv-2', 'tikv-3'], behind: ['tikv-2', 'tikv-3'] });
  });

  it('needs three of five voters', () => {
    const five = region('1', ['a', 'b', 'c', 'd', 'e']);
    expect(TIKV.quorum({ ...healthy(), placement: fact({ regions: [five] }) }).groups[1]).toMatchObject({ need: 3 });
  });

  it('calls every member of a healthy cluster alive and in order', () => {
    const { members } = TIKV.quorum(healthy());
    for (const one of members) expect(one).toMatchObject({ alive: 'yes', impaired: null });
    expect(members.map(({ id, aka }) => [id, ...(aka ?? [])].join(' '))).toEqual([
      ...['tikv-0 store-1', 'tikv-1 store-2', 'tikv-2 store-3', 'tikv-3 store-4'],
      ...['pd-0', 'pd-1', 'pd-2'],
    ]);
  });

  it.each([
    ['killed, PD still believes in it', justKilled(), 'no', 'tikv-2 exited 137, died'],
    ['killed and Disconnected', withStore(justKilled(), 'tikv-2', silentInPd(11)), 'no', 'tikv-2 exited 137, died'],
    [
      'Disconnected although its process runs',
      withStore(healthy(), 'tikv-2', silentInPd(11)),
      'unknown',
      'tikv-2 is Disconnected (11 s)',
    ],
    [
      'ended for the host, alive for PD and our client',
      withStore(healthy(), 'tikv-2', { witness: died() }),
      'unknown',
      'tikv-2 exited 137, died',
    ],
    [
      'paused',
      withStore(healthy(), 'tikv-2', { witness: witness({ state: 'paused' }), reach: REFUSED }),
      'no',
      'tikv-2 paused (pid 4711)',
    ],
    [
      'silent for two heartbeats',
      withStore(healthy(), 'tikv-2', { pd: pdStore('3', { lastHeartbeat: secondsAgo(3.5) }) }),
      'unknown',
      'tikv-2 has sent no heartbeat for 4 s',
    ],
    ['without a witness', withStore(healthy(), 'tikv-2', { witness: nothing }), 'unknown', null],
  ] as const)('of a store that is %s', (_, picture, alive, impaired) => {
    expect(member(picture, 'tikv-2')).toEqual({ id: 'tikv-2', aka: ['store-3'], alive, impaired });
  });

  it('calls a PD member alive only when its etcd sees the quorum and its process runs', () => {
    expect(member(withPd(healthy(), 'pd-1', { witness: nothing }), 'pd-1')).toMatchObject({ alive: 'unknown' });
    const dead = withPd(healthy(), 'pd-1', { reach: REFUSED, quorum: nothing, witness: died() });
    expect(member(dead, 'pd-1')).toEqual({ id: 'pd-1', alive: 'no', impaired: 'pd-1 exited 137, died' });
  });

  it('says why it cannot be trusted to be whole', () => {
    expect(TIKV.quorum(pdUnreadable()).gap).toBe('PD unreadable: no answer');
    expect(TIKV.quorum({ ...healthy(), placement: nothing }).gap).toBe('who holds which region is unknown: no answer');
    expect(TIKV.quorum({ ...healthy(), placement: fact({ regions: [] }) }).gap).toBe('PD lists no region');
    const young = healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(4) }) });
    expect(TIKV.quorum(young).gap).toBe('pd-1 has led PD for 4 s only');
  });
});

describe('the summary', () => {
  it('begins with a headline and spells out what is not in order', () => {
    const killed = withStore(justKilled(), 'tikv-2', {
      pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(11), leaders: 0, pendingPeers: 6 }),
    });
    const regions = { ...killed.vitals.regions, pendingPeer: fact(6) };
    expect(TIKV.summary({ ...killed, vitals: { ...killed.vitals, regions } })).toEqual([
      '3 of 4 stores Up, PD ok, 6 regions have a pending peer',
      'tikv-2: PD says Disconnected, heartbeat 11 s ago, 0 leaders, 6 pending peers; status port: connection refused; host: exited 137, died',
      'PD: leader pd-1; pd-0 in quorum, pd-1 in quorum, pd-2 in quorum',
      'regions: 24, with leader 24, pending peer 6, down peer 0, missing peer 0',
      'leaders: tikv-0 6, tikv-1 6, tikv-2 0, tikv-3 6',
      'probe: 24 of 24 regions served, p99 9 ms',
    ]);
  });

  it('does not take PD’s word for a store that does not run', () => {
    expect(TIKV.summary(justKilled())[0]).toBe("4 of 4 stores Up (tikv-2 by PD's word only), PD ok");
    expect(TIKV.summary(healthy())[0]).toBe('4 of 4 stores Up, PD ok');
  });

  it('says what is unknown, and why', () => {
    const lines = TIKV.summary(pdUnreadable());
    expect(lines[0]).toBe('0 of 4 stores Up, PD unreadable');
    expect(lines).toContain(
      'regions: unknown (no answer), with leader unknown (no answer), pending peer unknown (no answer), down peer unknown (no answer), missing peer unknown (no answer)',
    );
    expect(lines.length).toBeLessThanOrEqual(12);
  });
});
