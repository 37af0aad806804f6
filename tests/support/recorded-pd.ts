import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { serveHttp, type TestServer } from './http-server.js';

/** A PD group on loopback that answers what a real one was recorded to answer, and counts. */
export interface RecordedPd {
  /** Origins by the recorded names, then by further ones. */
  readonly members: readonly { readonly name: string; readonly clientUrl: string }[];
  readonly stores: readonly TestServer[];
  /** Requests so far, over all members. */
  requests(): number;
  /** The paths that were asked for, with their number. */
  paths(): Readonly<Record<string, number>>;
  /** What every member does from now on. */
  mood: 'well' | 'leaderless';
  /** Answers that stand in for the recorded ones. */
  readonly instead: Map<string, unknown>;
  close(): Promise<void>;
}

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'pd-recordings', 'healthy');

/** @param names - of the members; those of the recording are `pd0`, `pd1` and `pd2` */
export async function startRecordedPd(names: readonly string[] = ['pd0', 'pd1', 'pd2']): Promise<RecordedPd> {
  const paths: Record<string, number> = {};
  const instead = new Map<string, unknown>();
  const stores = await Promise.all(['tikv0', 'tikv1', 'tikv2', 'tikv3'].map(() => serveHttp((_, r) => void r.end())));
  const group: { mood: RecordedPd['mood'] } = { mood: 'well' };
  const answer = (path: string, response: ServerResponse) => {
    paths[path] = (paths[path] ?? 0) + 1;
    if (group.mood === 'leaderless' && path !== '/pd/api/v1/status')
      return path === '/health'
        ? response.writeHead(503).end('{"health":"false","reason":"RAFT NO LEADER"}')
        : response.writeHead(503).end('[PD:apiutil:ErrRedirectNoLeader]redirect finds no leader\n');
    const body = instead.get(path) ?? recorded(path);
    return body === null
      ? response.writeHead(404).end('404 page not found\n')
      : response.end(rewritten(body, { members, stores }));
  };
  const servers = await Promise.all(names.map(() => serveHttp((request, r) => void answer(request.url ?? '', r))));
  const members = names.map((name, index) => ({ name, clientUrl: servers[index]!.origin }));
  return {
    members,
    stores,
    instead,
    requests: () => Object.values(paths).reduce((sum, count) => sum + count, 0),
    paths: () => paths,
    get mood() {
      return group.mood;
    },
    set mood(mood) {
      group.mood = mood;
    },
    close: async () => void (await Promise.all([...servers, ...stores].map((server) => server.close()))),
  };
}

/** Starts as many as a file of tests asks for, and ends them after each test. */
export function withRecordedPds(): () => Promise<RecordedPd> {
  const open: RecordedPd[] = [];
  afterEach(async () => {
    for (const pd of open.splice(0)) await pd.close();
  });
  return async () => {
    const pd = await startRecordedPd();
    open.push(pd);
    return pd;
  };
}

/** The recorded body as text, so that its 64-bit ids stay what they are; `null`: nothing of it was recorded. */
function recorded(path: string): string | null {
  const name = path.slice(1).replaceAll('/', '.').replace('?', '@').replaceAll('&', '+');
  try {
    const text = readFileSync(join(FOLDER, `GET_${name}.json`), 'utf8');
    const from = text.indexOf('"body":', text.indexOf('"response"')) + '"body":'.length;
    return text.slice(from, text.lastIndexOf('"elapsed_ms"')).trim().replace(/,$/, '');
  } catch {
    return null;
  }
}

/** Addresses of the recording become those of the servers here. */
function rewritten(body: unknown, { members, stores }: Pick<RecordedPd, 'members' | 'stores'>): string {
  let text = typeof body === 'string' ? body : JSON.stringify(body);
  for (const [index, { address }] of stores.entries())
    text = text.replaceAll(`"status_address": "tikv${index}:20180"`, `"status_address": "${address}"`);
  for (const { name, clientUrl } of members)
    text = text.replace(new RegExp(`("name": "${name}",[^}]*?"client_urls": \\[\\s*)"[^"]*"`, 'g'), `$1"${clientUrl}"`);
  return text;
}
