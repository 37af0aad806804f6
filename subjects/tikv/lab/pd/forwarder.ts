import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { parse } from 'lossless-json';
import type { LeaderSections } from './answers/config.js';
import { REDIRECT_FAILED, REDIRECTOR_HEADER } from './forwarding.js';
import type { Member } from './members.js';

export interface Forwarding {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly to: Member;
}

/** The way from a follower to the leader. */
export interface Forwarder {
  /** Passes a request on and its answer back. Hangs as long as a frozen leader does. */
  forward(forwarding: Forwarding): Promise<void>;
  /** What a follower's `/config` needs of the leader's; null if the leader cannot be reached. */
  leaderSections(leader: Member): Promise<LeaderSections | null>;
}

export function createForwarder(options: { readonly self: Member }): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward: (forwarding) => forward(forwarding, { agent, redirector: options.self.name }),
    leaderSections: (leader) => leaderSections(leader, agent),
  };
}

function forward(
  { incoming, outgoing, to }: Forwarding,
  { agent, redirector }: { readonly agent: Agent; readonly redirector: string },
): Promise<void> {
  return new Promise((resolve) => {
    const { host } = new URL(to.clientUrl);
    const headers = { ...incoming.headers, host, [REDIRECTOR_HEADER]: redirector };
    const onward = request(`${to.clientUrl}${incoming.url}`, { agent, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else fail(outgoing);
    });
    outgoing.on('close', () => {
      onward.destroy();
      resolve();
    });
    incoming.pipe(onward);
  });
}

function fail(outgoing: ServerResponse): void {
  const { status, contentType, body } = REDIRECT_FAILED;
  outgoing.writeHead(status, { 'Content-Type': contentType, 'X-Content-Type-Options': 'nosniff' });
  outgoing.end(body);
}

function leaderSections({ clientUrl }: Member, agent: Agent): Promise<LeaderSections | null> {
  return new Promise((resolve) => {
    const ask = request(`${clientUrl}/pd/api/v1/config`, { agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', () => resolve(null));
      answer.on('end', () => resolve(answer.statusCode === 200 ? sectionsOf(Buffer.concat(chunks)) : null));
    });
    ask.on('error', () => resolve(null));
    ask.end();
  });
}

/** Parsed without loss: settings are passed on as the leader wrote them. */
function sectionsOf(body: Buffer): LeaderSections {
  const { schedule, replication } = parse(body.toString('utf8')) as Record<string, unknown>;
  return { schedule, replication };
}
