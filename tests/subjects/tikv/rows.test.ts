import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HttpCall } from '../../../src/domain/query.js';
import type { CommandClass } from '../../../src/policy/row.js';
import { COMMAND_ROWS } from '../../../subjects/tikv/command-rows.js';
import { HTTP_ROWS } from '../../../subjects/tikv/http-rows.js';
import { PD_ROUTES } from '../../../subjects/tikv/lab/pd/routes.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { healthy } from './pictures.js';

/** Words without quotes, as the policy kernel hands them over. */
function command(line: string, marks: { dynamic?: string; multi?: string } = {}): CommandClass | null {
  const words = line.split(' ').map((text) => ({ text, dynamic: text === marks.dynamic, multi: text === marks.multi }));
  for (const row of COMMAND_ROWS.filter(({ program }) => program === words[0]!.text)) {
    const answer = row.classify({ words, writes: [], reads: [] });
    if (answer) return answer;
  }
  return null;
}

function http(method: HttpCall['method'], path: string, rest: Partial<HttpCall> = {}): CommandClass | null {
  const call: HttpCall = { kind: 'http', api: 'pd', method, path, ...rest };
  const bare = path.split('?')[0] ?? '';
  const row = HTTP_ROWS.find((one) => one.api === call.api && one.method === method && one.path.test(bare));
  return row?.classify(call) ?? null;
}

describe('labctl', () => {
  it.each([
    'labctl ps',
    'labctl ps --json',
    'labctl inspect tikv-2',
    'labctl logs pd-0 --tail 20',
    'labctl logs tikv-1 --since 2026-11-30T14:00:00Z',
  ])('%s is a read', (line) => expect(command(line)).toEqual({ kind: 'read' }));

  it.each(['start', 'unpause'])('%s touches its node and takes nothing away', (verb) => {
    expect(command(`labctl ${verb} tikv-2`)).toEqual({
      kind: 'mutate',
      influence: { touches: ['tikv-2'], takesAway: [] },
      reversible: true,
      restorative: true,
    });
  });

  it('stop takes its node away', () => {
    expect(command('labctl stop tikv-1 --time 5')).toMatchObject({
      influence: { touches: ['tikv-1'], takesAway: ['tikv-1'] },
      restorative: false,
      capacity: 'when-healthy',
    });
  });

  it.each([
    'labctl',
    'labctl start',
    'labctl start tikv-1 tikv-2',
    'labctl start --all',
    'labctl unpause',
    'labctl unpause tikv-1 tikv-2',
    'labctl stop tikv-1 --time',
    'labctl stop tikv-1 --time 5 --time 0',
    'labctl --lab /elsewhere ps',
    'labctl ps tikv-1',
    'labctl inspect ../pd-0',
    'labctl wipe tikv-1',
    'labctl logs tikv-1 --tail 20 --output /etc/passwd',
  ])('%s is not known', (line) => expect(command(line)).toBeNull());

  it('with words that are decided at run time is not known', () => {
    expect(command('labctl inspect $NODE', { dynamic: '$NODE' })).toBeNull();
    expect(command('labctl start tikv-?', { multi: 'tikv-?' })).toBeNull();
  });

  it.each(['pd-recover -h', 'tikv-ctl bad-ssts', 'etcdctl get /', 'pd-server', 'tikv-server'])(
    '%s is for hands only',
    (line) =>
      expect(command(line)).toMatchObject({
        kind: 'forbidden',
        reason: expect.stringContaining('a person does that, by hand'),
      }),
  );
});

describe("PD's and TiKV's HTTP", () => {
  it.each([
    ['/pd/api/v1/stores'],
    ['/pd/api/v1/store/4'],
    ['/pd/api/v1/stores?state=0'],
    ['/pd/api/v1/admin/unsafe/remove-failed-stores/show'],
    ['/pd/api/v2/ready?verbose'],
    ['/health'],
    ['/metrics'],
  ])('GET %s is a read', (path) => expect(http('GET', path)).toEqual({ kind: 'read' }));

  it.each([
    ['GET', '/pd/api/v1/debug/pprof/profile'],
    ['GET', '/pd/api/v1/../../v3/kv/put'],
    ['GET', '/pd/api/v1/%2e%2e/stores'],
    ['GET', '/pd//api/v1/stores'],
    ['POST', '/v3/kv/deleterange'],
    ['POST', '/pd/api/v1/admin/unsafe/remove-failed-stores'],
    ['POST', '/pd/api/v1/admin/reset-ts'],
    ['POST', '/pd/api/v1/admin/log'],
    ['DELETE', '/pd/api/v1/admin/cache/region/4'],
    ['DELETE', '/pd/api/v1/members/id/1'],
    ['DELETE', '/pd/api/v1/stores/remove-tombstone'],
    ['DELETE', '/pd/api/v1/store/4?force=true'],
    ['DELETE', '/pd/api/v1/admin/cache/regions'],
    ['DELETE', '/pd/api/v1/members/name/pd-2'],
    ['DELETE', '/pd/api/v1/store/4?force'],
    ['DELETE', '/pd/api/v1/gc/safepoint/cdc'],
    ['POST', '/pd/api/v1/config/cluster-version'],
  ] as const)('%s %s is forbidden', (method, path) => expect(http(method, path)).toMatchObject({ kind: 'forbidden' }));

  it.each([
    ['POST', '/pd/api/v1/leader/transfer/pd-2', ['pd'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/store/4', ['store-4'], ['store-4'], false, false, 'always'],
    ['POST', '/pd/api/v1/store/4/state?state=Up', ['store-4'], [], true, true, null],
    ['POST', '/pd/api/v1/store/4/state?state=Offline', ['store-4'], ['store-4'], false, false, 'always'],
    ['POST', '/pd/api/v1/store/4/state?state=Offline&state=Up', ['store-4'], ['store-4'], false, false, 'always'],
    ['POST', '/pd/api/v1/schedulers', ['cluster'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/operators', ['cluster'], [], false, false, null],
    ['POST', '/pd/api/v1/config/rule', ['cluster'], [], false, false, 'always'],
    ['DELETE', '/pd/api/v1/config/rule/pd/default', ['cluster'], [], false, false, 'always'],
    ['POST', '/pd/api/v1/store/4/weight', ['store-4'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/store/4/limit', ['store-4'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/store/4/label?force', ['store-4'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/store/4/label', ['store-4'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/stores/limit', ['cluster'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/schedulers/evict-leader-scheduler-4', ['cluster'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/schedulers/balance-leader-scheduler', ['cluster'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/scheduler-config/evict-leader-scheduler/config', ['cluster'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/scheduler-config/evict-leader-scheduler/delete/4', ['cluster'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/checker/rule', ['cluster'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/operators', ['cluster'], [], true, false, 'always'],
    ['DELETE', '/pd/api/v1/operators/11', ['cluster'], [], false, false, null],
    ['POST', '/pd/api/v1/config/schedule', ['cluster'], [], true, false, 'always'],
    ['POST', '/pd/api/v1/config', ['cluster'], [], false, false, 'always'],
    ['POST', '/pd/api/v1/members/name/pd-1', ['pd'], [], true, false, 'always'],
  ] as const)(
    '%s %s touches %j and takes away %j',
    (method, path, touches, takesAway, reversible, restorative, capacity) => {
      expect(http(method, path)).toEqual({
        kind: 'mutate',
        influence: { touches, takesAway },
        reversible,
        restorative,
        ...(capacity ? { capacity } : {}),
      });
    },
  );

  it('of a setting is reversible by its name, but never the cluster version', () => {
    const set = (body: string) => http('POST', '/pd/api/v1/config?ttlSecond=60', { body });
    expect(set('{"schedule.leader-schedule-limit": 4}')).toMatchObject({ kind: 'mutate', reversible: true });
    expect(set('{"cluster-version": "9.0.0"}')).toMatchObject({ kind: 'forbidden' });
    expect(set('{"schedule.leader-schedule-limit": 4, "cluster\\u002dversion": "9.0.0"}')).toMatchObject({
      kind: 'forbidden',
    });
    expect(set('leader-schedule-limit=4')).toMatchObject({ kind: 'mutate', reversible: false });
  });

  it('knows every change that the lab’s PD takes', () => {
    const changes = PD_ROUTES.filter(({ method }) => method !== 'GET');
    expect(changes.length).toBeGreaterThan(25);
    const unknown = changes.filter(({ method, path }) => http(method, sampleOf(path)) === null);
    expect(unknown.map(({ method, path }) => `${method} ${path.source}`)).toEqual([]);
  });

  it('of a status port knows reads and the pause of gRPC', () => {
    const of = { api: 'tikv-status', node: 'tikv-1' };
    expect(http('GET', '/status', of)).toEqual({ kind: 'read' });
    expect(http('PUT', '/pause_grpc', of)).toMatchObject({ influence: { takesAway: ['tikv-1'] } });
    expect(http('PUT', '/resume_grpc', of)).toMatchObject({ influence: { touches: ['tikv-1'] }, restorative: true });
    expect(http('PUT', '/fail/a', of)).toMatchObject({ kind: 'forbidden' });
    expect(http('GET', '/debug/pprof/profile', of)).toMatchObject({ kind: 'forbidden' });
  });

  it('never takes a change for a read', () => {
    const method = fc.constantFrom('POST', 'PUT', 'DELETE');
    const path = fc
      .array(fc.constantFrom('pd', 'api', 'v1', 'store', '4', 'admin', 'config', 'stores', 'v3'))
      .map((p) => `/${p.join('/')}`);
    fc.assert(fc.property(method, path, (verb, text) => expect(http(verb as 'POST', text)?.kind).not.toBe('read')));
  });
});

/** A path that a route of the lab's PD takes. */
function sampleOf(path: RegExp): string {
  return path.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\/', '/')
    .replaceAll(/\(?\[\^\/\]\+\)?/g, '4');
}

describe('the looks of the rules', () => {
  it('are all reads by these rows', () => {
    const targets = { 'store-trouble': ['tikv-2'], 'pd-trouble': ['pd', 'pd-1'], 'symptoms-only': ['cluster'] };
    const calls = Object.entries(targets).flatMap(([name, list]) =>
      list.flatMap((target) => {
        const rule = TIKV.rules.find((one) => one.name === name);
        return (rule?.suspects(target, healthy()) ?? []).flatMap(({ looks }) => looks);
      }),
    );
    expect(calls.length).toBeGreaterThan(10);
    for (const call of calls)
      expect(call.kind === 'shell' ? command(call.command) : http(call.method, call.path, call)).toEqual({
        kind: 'read',
      });
  });
});
