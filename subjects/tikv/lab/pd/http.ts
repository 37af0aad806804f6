import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, json } from './answers/answer.js';
import { followerConfig } from './answers/config.js';
import { ETCD_NO_LEADER } from './answers/node.js';

import type { Forwarder } from './forwarder.js';
import { dialError, NO_LEADER, type Plan, plan, type Request } from './forwarding.js';
import type { PdNode } from './node.js';
import type { Ask } from './route.js';
import { answerHere, type Found } from './routes.js';
import { Turns } from './turns.js';

export interface HttpOptions {
  readonly node: PdNode;
  readonly forwarder: Forwarder;
  /** How long a follower waits for a leader to be named (PD: 3 s, first look after 100 ms, then twice as long each time). */
  readonly redirectWaitMs: number;
}

const FIRST_LOOKS_PER_WAIT = 30;
const NOT_MOVED = json('no valid pd to transfer etcd leader', 500);
const MOVED_TOO_SLOWLY = json('etcdserver: request timed out, leader transfer took too long', 500);
const MEMBERS_TIMED_OUT = json('[PD:etcd:ErrEtcdMemberList]context deadline exceeded: context deadline exceeded', 500);

/** PD's HTTP side, to be given connections by the shared port. */
export function createHttpServer(options: HttpOptions): Server {
  const turns = new Turns(options.node);
  return createServer((incoming, outgoing) => {
    handle(incoming, outgoing, { ...options, turns }).catch((error: unknown) => {
      send(outgoing, json(error instanceof Error ? error.message : String(error), 500));
    });
  });
}

interface Serving extends HttpOptions {
  readonly turns: Turns;
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, options: Serving): Promise<void> {
  const request = requestOf(incoming);
  const planned = await settled(request, options);
  if (planned.kind === 'forward') return options.forwarder.forward({ incoming, outgoing, to: planned.to });
  const ask = { ...request, body: await bodyOf(incoming) };
  send(outgoing, await answerOf(planned, ask, options));
}

/** The plan, once it is not to wait any more. */
async function settled(request: Request, { node, redirectWaitMs }: HttpOptions): Promise<Plan> {
  let planned = plan(node.view(), node.stage, request);
  let pauseMs = redirectWaitMs / FIRST_LOOKS_PER_WAIT;
  for (let left = redirectWaitMs; planned.kind === 'wait-for-leader' && left > 0; pauseMs *= 2) {
    await sleep(Math.min(pauseMs, left));
    left -= pauseMs;
    planned = plan(node.view(), node.stage, request);
  }
  return planned;
}

async function answerOf(planned: Plan, ask: Ask, serving: Serving): Promise<Answer> {
  const { node, forwarder } = serving;
  switch (planned.kind) {
    case 'answer':
      return planned.answer;
    case 'wait-for-leader':
      return NO_LEADER;
    case 'serve':
      return serve(serving, planned.found, ask);
    case 'ask-config': {
      const sections = await forwarder.leaderSections(planned.from);
      return sections === null ? dialError(planned.from) : followerConfig(node.view(), sections);
    }
    case 'forward':
      throw new Error('a forwarded request is answered by the leader');
  }
}

async function serve({ node, turns }: Serving, found: Found, ask: Ask): Promise<Answer> {
  const here = (reachable?: ReadonlySet<string>) => turns.run(() => answerHere(node.view(reachable), found, ask));
  switch (found.route?.need) {
    case 'pings':
      return here(await node.ping());
    case 'raft-health':
      if (node.view().raft.leader === null) return ETCD_NO_LEADER;
      return (await node.read()) ? here() : ETCD_NO_LEADER;
    case 'raft-read':
      return (await node.read()) ? here() : ETCD_NO_LEADER;
    case 'read':
      return (await node.read()) ? here() : MEMBERS_TIMED_OUT;
    case 'transfer':
      return transfer(node, found);
    default:
      return ask.method === 'GET' ? here() : turns.inTurn(() => answerHere(node.view(), found, ask));
  }
}

async function transfer(node: PdNode, found: Found): Promise<Answer> {
  const [to = null] = found.route === null ? [] : found.caught;
  const outcome = await node.transfer(to);
  if (outcome === 'no-target') return NOT_MOVED;
  if (outcome === 'too-slow') return MOVED_TOO_SLOWLY;
  return json(`The ${to === null ? 'resign' : 'transfer'} command is submitted.`);
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage): Request {
  const { pathname, searchParams } = new URL(url, 'http://pd');
  return { method, path: pathname, query: searchParams, headers };
}

function send(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.headersSent) return;
  outgoing.statusCode = answer.status;
  outgoing.setHeader('Access-Control-Allow-Origin', '*');
  if (answer.contentType !== undefined) outgoing.setHeader('Content-Type', answer.contentType);
  if (answer.noSniff !== undefined) outgoing.setHeader('X-Content-Type-Options', 'nosniff');
  outgoing.setHeader('Content-Length', Buffer.byteLength(answer.body));
  outgoing.end(answer.body);
}
