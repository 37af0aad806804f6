import { connectLink, type Link } from '../peer-link.js';
import type { ClientReply, ClientRequest, RegionError } from './client-protocol.js';

/** Without an id, which the link gives. */
export type Ask =
  | Omit<Extract<ClientRequest, { kind: 'get' }>, 'id'>
  | Omit<Extract<ClientRequest, { kind: 'put' }>, 'id'>;

/** How one attempt at one store ended. `refused`: nothing listens there. `timeout`, `closed`: a write may have happened. */
export type Attempt =
  | { readonly kind: 'ok'; readonly value: string | null }
  | RegionError
  | { readonly kind: 'refused' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'timeout' };

/** Connections of a client, one to each store address, opened when needed. */
export interface ClientLinks {
  ask(address: string, request: Ask, timeoutMs: number): Promise<Attempt>;
  close(): void;
}

type Settle = (attempt: Attempt) => void;

interface OpenLink {
  readonly link: Link;
  readonly waiting: Map<number, Settle>;
}

/** No connection is made before the first request. */
export function createClientLinks(): ClientLinks {
  const links = new Map<string, OpenLink>();
  let lastId = 0;

  function linkTo(address: string): OpenLink {
    const known = links.get(address);
    if (known !== undefined) return known;
    const { hostname: host, port } = new URL(`tcp://${address}`);
    const waiting = new Map<number, Settle>();
    const onFrame = (message: unknown) => settle(waiting, message as ClientReply);
    const link = connectLink({
      host,
      port: Number(port),
      onFrame,
      onDown: (reason) => {
        links.delete(address);
        for (const done of [...waiting.values()]) done({ kind: reason === 'refused' ? 'refused' : 'closed' });
      },
    });
    const fresh = { link, waiting };
    links.set(address, fresh);
    return fresh;
  }

  return {
    ask(address, request, timeoutMs) {
      const { link, waiting } = linkTo(address);
      const id = ++lastId;
      return new Promise((resolve) => {
        const done: Settle = (attempt) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(attempt);
        };
        const timer = setTimeout(() => done({ kind: 'timeout' }), timeoutMs);
        waiting.set(id, done);
        if (link.send({ ...request, id }) === 'dropped') done({ kind: 'closed' });
      });
    },
    close() {
      for (const { link, waiting } of links.values()) {
        link.close();
        for (const done of [...waiting.values()]) done({ kind: 'closed' });
      }
      links.clear();
    },
  };
}

function settle(waiting: ReadonlyMap<number, Settle>, reply: ClientReply): void {
  waiting.get(reply.id)?.(attemptOf(reply));
}

function attemptOf(reply: ClientReply): Attempt {
  switch (reply.kind) {
    case 'value':
      return { kind: 'ok', value: reply.value };
    case 'done':
      return { kind: 'ok', value: null };
    case 'error':
      return reply.error;
  }
}
