import { describe, expect, it } from '@jest/globals';
import { causeName } from '../../../src/domain/cause.js';
import { fingerprint, type Violation } from '../../../src/domain/violation.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { RULES } from '../../../subjects/tikv/rules.js';
import { askPdAboutStore, askStatusPort, inspectNode, readLog } from '../../../subjects/tikv/services.js';
import {
  AT,
  died,
  healthy,
  justKilled,
  leadership,
  nothing,
  pdStore,
  pdUnreadable,
  REFUSED,
  secondsAgo,
  withPd,
  withStore,
} from './pictures.js';
import { board, dead, host, type Reply, refuses, serves } from './rule-board.js';

const violation = (invariant: string, target: string | null): Violation => ({
  invariant,
  target,
  severity: 'high',
  message: invariant,
  since: AT,
  fingerprint: fingerprint('tikv', invariant, target),
});

function followed(...violations: readonly Violation[]): string | null {
  for (const rule of RULES) {
    const target = rule.matches(violations);
    if (target !== null) return `${rule.name} ${target}`;
  }
  return null;
}

function suspected(picture: TikvPicture): string[] {
  const symptoms = RULES.find(({ name }) => name === 'symptoms-only')!;
  return symptoms.suspects('cluster', picture).map(({ cause }) => causeName(cause));
}

describe('which rule is followed', () => {
  it('is the one for a store that does not answer, whatever else is wrong', () => {
    expect(followed(violation('pd-quorum', 'pd'), violation('store-reachable', 'tikv-2'))).toBe('store-trouble tikv-2');
  });

  it("is PD's when PD has no quorum and only PD complains of a store", () => {
    expect(followed(violation('store-up', 'tikv-2'), violation('pd-quorum', 'pd'))).toBe('pd-trouble pd');
    expect(followed(violation('store-up', 'tikv-2'))).toBe('store-trouble tikv-2');
    expect(followed(violation('pd-members', 'pd-2'))).toBe('pd-trouble pd-2');
  });

  it('looks for a victim when there are only symptoms', () => {
    expect(followed(violation('regions-no-pending-peer', null), violation('probe-ok', null))).toBe(
      'symptoms-only cluster',
    );
    expect(followed()).toBeNull();
  });

  it('takes the store that most peers wait for as the victim of the symptoms', () => {
    const waiting = withStore(healthy(), 'tikv-3', { pd: pdStore('4', { pendingPeers: 5 }) });
    expect(suspected(waiting)).toContain('process-dead/tikv-3');
    expect(suspected(healthy())).toEqual([
      'foreign-scheduler/cluster',
      'scheduling-stopped/cluster',
      'process-dead/cluster',
      'process-frozen/cluster',
      'link-loss/cluster',
      'pd-stale/pd',
    ]);
  });

  it('asks nothing about orders to PD when the host shows a store dead', () => {
    expect(suspected(justKilled())).toEqual([
      'process-dead/tikv-2',
      'crash-loop/tikv-2',
      'stopped-by-request/tikv-2',
      'process-frozen/tikv-2',
      'link-loss/tikv-2',
      'pd-stale/pd',
    ]);
  });
});

describe('a dead store', () => {
  it('is supported by the host and its port, less so before the port was asked', () => {
    expect(board(justKilled(), [dead(), refuses])['process-dead/tikv-2']).toMatchObject({
      status: 'supported',
      confidence: 0.95,
      for: ['e2', 'e3'],
    });
    expect(board(justKilled(), [dead()])['process-dead/tikv-2']).toMatchObject({
      status: 'supported',
      confidence: 0.85,
    });
  });

  it('is told from one that was stopped by request, which needs no repair', () => {
    const found = board(justKilled(), [dead({ stoppedByRequest: true, exitCode: 0 }), refuses]);
    expect(found['process-dead/tikv-2']).toMatchObject({ status: 'refuted', against: ['e2'] });
    expect(found['stopped-by-request/tikv-2']).toMatchObject({ status: 'supported', for: ['e2'] });
    const stopped = RULES[0]!.suspects('tikv-2', healthy()).find(({ cause }) => cause.class === 'stopped-by-request')!;
    expect(stopped).toMatchObject({ ending: { conclusion: 'expected' } });
    expect(stopped.cure).toBeUndefined();
  });

  it('stays open while the host gives no answer', () => {
    const mute: Reply = { call: inspectNode('tikv-2'), exit: null, failure: 'no answer within 1000 ms' };
    const garbled: Reply = { call: inspectNode('tikv-2'), exit: 0, body: 'node tikv-2: exited' };
    for (const reply of [mute, garbled])
      for (const { status } of Object.values(board(justKilled(), [reply, refuses])).slice(0, 4))
        expect(status).toBe('open');
  });

  it('stays open when its port answers all the same', () => {
    expect(board(healthy(), [dead(), serves])['process-dead/tikv-2']).toMatchObject({
      status: 'open',
      for: ['e2'],
      against: ['e3'],
    });
  });

  it('does not take a farewell in the log for an abrupt end', () => {
    const log = (body: string): Reply => ({ call: readLog('tikv-2'), exit: 0, body });
    expect(board(justKilled(), [dead(), refuses, log('["tick"]\n')])['process-dead/tikv-2']).toMatchObject({
      for: ['e2', 'e3', 'e4'],
    });
    expect(board(justKilled(), [dead(), refuses, log('["received SIGTERM"]\n')])['process-dead/tikv-2']).toMatchObject({
      for: ['e2', 'e3'],
    });
  });
});

describe('a crash loop', () => {
  const again = { starts: 2, startedAt: secondsAgo(40), finishedAt: secondsAgo(39.6), exitCode: 1, signal: null };
  const log: Reply = {
    call: readLog('tikv-2'),
    exit: 0,
    body: [
      `[2026/11/30 14:00:00.000 +00:00] [FATAL] [server.rs] ["Unknown option '--block-cache-sise'"]`,
      '[2026/11/30 14:00:00.010 +00:00] [INFO] [labd] ["process ended: exit code 1"]',
      '',
    ].join('\n'),
  };

  it('is a process that ended by itself soon after a second start, with what its log says', () => {
    const found = board(justKilled(), [dead(again), refuses, log]);
    expect(found['crash-loop/tikv-2']).toMatchObject({
      status: 'supported',
      for: ['e2', 'e4'],
      because:
        'the host shows tikv-2 exited 1, died, started 2 times, died again 0.4 s after the last; ' +
        `its log: "Unknown option '--block-cache-sise'"`,
    });
    expect(found['process-dead/tikv-2']).toMatchObject({ status: 'refuted', against: ['e2'] });
  });

  it.each([
    ['was started only once', { ...again, starts: 1 }],
    ['lived for a minute', { ...again, startedAt: secondsAgo(100) }],
    ['was killed by somebody', { ...again, exitCode: 137, signal: 'SIGKILL' }],
  ])('is none when the process %s', (_, changes) => {
    const found = board(justKilled(), [dead(changes), refuses, log]);
    expect(found['crash-loop/tikv-2']!.status).toBe('refuted');
    expect(found['process-dead/tikv-2']!.status).toBe('supported');
  });

  it('of PD members leaves the lost quorum to a person, with their last words', () => {
    const looping = { witness: died(again) };
    const picture = withPd(withPd(pdUnreadable(), 'pd-0', looping), 'pd-2', looping);
    const [lost, ...rivals] = RULES.find(({ name }) => name === 'pd-trouble')!.suspects('pd', picture);
    expect(lost!.cure).toBeUndefined();
    expect(rivals).toEqual([]);
    const replies = ['pd-0', 'pd-2'].flatMap((name) => [
      host(died(again).value, name),
      { ...log, call: readLog(name) },
    ]);
    expect(board(picture, [...replies, host({}, 'pd-1')], ['pd-trouble', 'pd'])['pd-quorum-lost/pd']).toMatchObject({
      status: 'supported',
      because: expect.stringMatching(
        /^pd-0 exited 1, died \(started 2 times, died again 0\.4 s after the last; "Unknown/,
      ),
    });
  });
});

describe('a store that runs', () => {
  const silentPd = { pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(11), leaders: 10 }) };
  const cut = withStore(healthy(), 'tikv-2', silentPd);

  it('and answers, yet is silent for PD, has lost a link', () => {
    const pd: Reply = { call: askPdAboutStore('3'), exit: 200, body: '{}' };
    const found = board(cut, [host(), serves, pd]);
    expect(found['link-loss/tikv-2']).toMatchObject({ status: 'supported', for: ['e2', 'e3', 'e1', 'e4'] });
    expect(found['link-loss/tikv-2']!.because).toContain('it keeps its 10 leaders, so only its way to PD is cut');
    expect(found['process-dead/tikv-2']!.status).toBe('refuted');
    expect(found['process-frozen/tikv-2']!.status).toBe('refuted');
  });

  it('but has just started is too early to tell', () => {
    expect(board(cut, [host({ startedAt: secondsAgo(2) }), serves])['link-loss/tikv-2']).toMatchObject({
      status: 'open',
      tooEarly: true,
    });
    expect(board(cut, [host({ startedAt: secondsAgo(2) }), refuses])['process-frozen/tikv-2']).toMatchObject({
      status: 'open',
      tooEarly: true,
    });
  });

  it('and takes connections without answering is frozen if the host says so and it stays so, else undecided', () => {
    const silent: Reply = {
      call: askStatusPort('tikv-2'),
      exit: null,
      failure: 'connected, but no answer within 900 ms',
    };
    const deafFor = (seconds: number): TikvPicture => {
      const picture = healthy();
      const trends = { ...picture.vitals.trends, deafSince: { 'tikv-2': secondsAgo(seconds) } };
      return { ...picture, vitals: { ...picture.vitals, trends } };
    };
    const frozen = [host({ state: 'paused' }), silent];
    expect(board(deafFor(8), frozen)['process-frozen/tikv-2']).toMatchObject({
      status: 'supported',
      for: ['e2', 'e3'],
    });
    expect(board(deafFor(7), frozen)['process-frozen/tikv-2']).toMatchObject({ status: 'open', tooEarly: true });
    expect(board(healthy(), frozen)['process-frozen/tikv-2']).toMatchObject({ status: 'open', tooEarly: true });
    expect(board(healthy(), [host(), silent])['process-frozen/tikv-2']).toMatchObject({ status: 'open' });
  });

  it('and is in order for PD is not cut off, whatever scores are left over from before', () => {
    const leftover = withStore(healthy(), 'tikv-1', { pd: pdStore('2', { networkSlowScores: { 'tikv-2': 99 } }) });
    expect(board(leftover, [host(), serves])['link-loss/tikv-2']).toMatchObject({ status: 'refuted' });
  });

  it('is not blamed while PD is too new to know', () => {
    const young = withStore(
      healthy({ leadership: leadership({ seenBy: 'change', seenSince: secondsAgo(2) }) }),
      'tikv-2',
      {
        pd: pdStore('3', { state: 'Disconnected', lastHeartbeat: secondsAgo(190), slowScore: null }),
      },
    );
    const found = board(young, [host(), serves]);
    expect(found['link-loss/tikv-2']!.status).toBe('open');
    expect(found['pd-stale/pd']).toMatchObject({ status: 'open', tooEarly: true });
  });
});

describe('PD in trouble', () => {
  const gone = (name: string) => host(died().value, name);

  it('without a quorum is explained by the members that are gone', () => {
    const replies = [gone('pd-0'), gone('pd-2'), host({}, 'pd-1')];
    const found = board(twoGone(), replies, ['pd-trouble', 'pd']);
    expect(found).toEqual({
      'pd-quorum-lost/pd': expect.objectContaining({ status: 'supported', for: ['e1', 'e2', 'e3'] }),
      'stopped-by-request/pd-0': expect.objectContaining({ status: 'refuted', against: ['e2'] }),
      'stopped-by-request/pd-2': expect.objectContaining({ status: 'refuted', against: ['e3'] }),
    });
  });

  const twoGone = (changes: Parameters<typeof died>[0] = {}) =>
    withPd(withPd(pdUnreadable(), 'pd-0', { witness: died() }), 'pd-2', { witness: died(changes) });
  const cureOf = (picture: TikvPicture) => {
    const [lost] = RULES.find(({ name }) => name === 'pd-trouble')!.suspects('pd', picture);
    return lost?.cure?.steps.map((step) => (step.kind === 'action' ? `${step.action} ${step.target}` : ''));
  };

  it('without a quorum is cured by bringing back all that nobody took away, one after the other', () => {
    expect(cureOf(twoGone())).toEqual(['start-pd-member pd-0', 'start-pd-member pd-2']);
    expect(cureOf(twoGone({ state: 'paused' }))).toEqual(['start-pd-member pd-0', 'resume-process pd-2']);
    expect(cureOf(twoGone({ stoppedByRequest: true }))).toEqual(['start-pd-member pd-0']);
  });

  it('without a quorum is left to a person when too many were stopped by request', () => {
    const stopped = { witness: died({ stoppedByRequest: true }) };
    expect(cureOf(withPd(withPd(pdUnreadable(), 'pd-0', stopped), 'pd-2', stopped))).toBeUndefined();
  });

  it('without a quorum although all run stays open', () => {
    const found = board(
      pdUnreadable(),
      ['pd-0', 'pd-1', 'pd-2'].map((name) => host({}, name)),
      ['pd-trouble', 'pd'],
    );
    expect(found['pd-quorum-lost/pd']).toMatchObject({ status: 'open' });
  });

  it('with one member gone names that member', () => {
    const picture = withPd(healthy(), 'pd-2', { reach: REFUSED, quorum: nothing });
    const found = board(picture, [gone('pd-2')], ['pd-trouble', 'pd-2']);
    expect(found['pd-member-dead/pd-2']).toMatchObject({ status: 'supported', for: ['e2', 'e1'] });
    expect(found['process-frozen/pd-2']!.status).toBe('refuted');
    const whole = board(picture, [gone('pd-2')], ['pd-trouble', 'pd']);
    expect(whole).toMatchObject({
      'pd-quorum-lost/pd': { status: 'refuted' },
      'pd-member-dead/pd-2': { status: 'supported' },
    });
  });
});
