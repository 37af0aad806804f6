import type { Target } from '../../src/domain/ids.js';
import type { HttpCall, ShellCall } from '../../src/domain/query.js';
import type { PdStore, TikvPicture } from './picture.js';

/** The one host of a lab; the subject's calls name it, the transport knows how to reach it. */
export const HOST = 'lab';

/** All nodes as JSON: the witness of each sample. */
export const WITNESS_COMMAND = 'labctl ps --json';

export const inspectNode = (node: Target): ShellCall => onHost(`labctl inspect ${node}`);
export const readLog = (node: Target): ShellCall => onHost(`labctl logs ${node} --tail 20`);
export const startNode = (node: Target): ShellCall => onHost(`labctl start ${node}`);
export const unpauseNode = (node: Target): ShellCall => onHost(`labctl unpause ${node}`);

/** TiKV answers 200 with an empty body as soon as its process serves; it says nothing of Raft or disk. */
export const askStatusPort = (node: Target): HttpCall => get({ api: 'tikv-status', node, path: '/status' });

/** PD's opinion of one store, or of all when its id is not known. */
export const askPdAboutStore = (id: string | null): HttpCall =>
  get({ api: 'pd', path: id === null ? '/pd/api/v1/stores' : `/pd/api/v1/store/${id}` });

/** etcd's word on the quorum, as this member sees it. */
export const askEtcdHealth = (node: Target): HttpCall => get({ api: 'pd', node, path: '/health' });

export const askPdMembers = (): HttpCall => get({ api: 'pd', path: '/pd/api/v1/members' });

/** Schedulers that exist, paused ones included. */
export const askPdForSchedulers = (): HttpCall => get({ api: 'pd', path: '/pd/api/v1/schedulers' });
export const askPdForPaused = (): HttpCall => get({ api: 'pd', path: '/pd/api/v1/schedulers?status=paused' });
/** The stores of an evict or grant scheduler. */
export const askPdForHeld = (scheduler: string): HttpCall =>
  get({ api: 'pd', path: `/pd/api/v1/scheduler-config/${scheduler}/list` });
/** Limits and switches of scheduling. */
export const askPdForLimits = (): HttpCall => get({ api: 'pd', path: '/pd/api/v1/config/schedule' });

/** All stores as PD sees them. */
export const askPdForStores = (): HttpCall => get({ api: 'pd', path: '/pd/api/v1/stores' });
/** All nodes as the host sees them. */
export const askHostForNodes = (): ShellCall => onHost(WITNESS_COMMAND);

/** The id by which PD's API knows a store; `null`: PD did not tell. */
export const idInPd = (picture: TikvPicture, store: Target): string | null => pdStoreNamed(picture, store)?.id ?? null;

/** `null`: PD does not list it, or was not heard. */
export function pdStoreNamed({ vitals }: TikvPicture, store: Target): PdStore | null {
  const pd = vitals.stores.find(({ name }) => name === store)?.pd;
  return pd?.known ? pd.value : null;
}

/** A change through whichever member of PD answers. `path` below `/pd/api/v1`. */
export const changePd = (method: 'POST' | 'DELETE', path: string, body?: string): HttpCall => ({
  kind: 'http',
  api: 'pd',
  method,
  path: `/pd/api/v1${path}`,
  ...(body === undefined ? {} : { body }),
});

function onHost(command: string): ShellCall {
  return { kind: 'shell', host: HOST, command };
}

function get(call: Pick<HttpCall, 'api' | 'node' | 'path'>): HttpCall {
  return { kind: 'http', method: 'GET', ...call };
}
