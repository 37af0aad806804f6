import { empty } from '../answers/answer.js';
import { config } from '../answers/config.js';
import { health, leader, members } from '../answers/members.js';
import { metrics } from '../answers/metrics.js';
import { DASHBOARD, ETCD_HEALTHY, ETCD_OK, etcdVersion, ready, status, version } from '../answers/node.js';
import { removeMemberById, removeMemberByName, setMember } from '../changes/members.js';
import { changeOnLeader, onLeader, own, type Route, V1, V2 } from '../route.js';

/** The members themselves, and what etcd answers on the same port. */
export const MEMBER_ROUTES: readonly Route[] = [
  own(`${V1}/status`, (view) => status(view)),
  own(`${V1}/version`, () => version()),
  own(`${V1}/ping`, () => empty()),
  { ...own(`${V1}/health`, (view) => health(view)), need: 'pings' },
  { ...own(`${V1}/config`, (view) => config(view)), scope: 'config' },
  own(`${V2}/ready`, (view, ask) => ready(view, { verbose: ask.query.has('verbose') })),
  { ...own('/metrics', (view) => metrics(view)), need: 'pings' },
  { ...own('/health', () => ETCD_HEALTHY), need: 'raft-health' },
  { ...own('/readyz', () => ETCD_OK), need: 'raft-read' },
  own('/livez', () => ETCD_OK),
  own('/version', () => etcdVersion()),
  own('/dashboard/', () => DASHBOARD),

  { ...onLeader('/pd/health', (view) => health(view)), need: 'pings' },
  onLeader('/pd/ping', () => empty()),
  { ...onLeader(`${V1}/members`, (view) => members(view)), need: 'read' },
  onLeader(`${V1}/leader`, (view) => leader(view)),
  { ...changeOnLeader('POST', `${V1}/leader/resign`, () => empty()), need: 'transfer' },
  { ...changeOnLeader('POST', `${V1}/leader/transfer/([^/]+)`, () => empty()), need: 'transfer' },
  changeOnLeader('POST', `${V1}/members/name/([^/]+)`, (view, ask, [name = '']) => setMember(view, name, ask)),
  changeOnLeader('DELETE', `${V1}/members/name/([^/]+)`, (view, _ask, [name = '']) => removeMemberByName(view, name)),
  changeOnLeader('DELETE', `${V1}/members/id/([^/]+)`, (view, _ask, [id = '']) => removeMemberById(view, id)),
];
