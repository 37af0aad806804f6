import { connectLink, type Link, type LinkServer, listen } from '../peer-link.js';
import type { Member } from './members.js';
import { isPeerMessage, type PeerBody, type PeerMessage } from './peer-messages.js';

export interface PeersOptions {
  readonly self: Member;
  readonly members: readonly Member[];
  /** Wait between two attempts to connect. */
  readonly retryMs: number;
  readonly onMessage: (message: PeerMessage) => void;
  readonly onUp: (name: string) => void;
  readonly onUnreachable: (name: string) => void;
}

/** The links to the other members: one that we dial for what we say, and theirs for what they say. */
export interface Peers {
  readonly others: readonly string[];
  send(to: string, body: PeerBody): void;
  close(): Promise<void>;
}

/** @throws if the peer address is taken */
export async function openPeers({
  self,
  members,
  retryMs,
  onMessage,
  onUp,
  onUnreachable,
}: PeersOptions): Promise<Peers> {
  const take = (message: unknown) => {
    if (isPeerMessage(message)) onMessage(message);
  };
  const server: LinkServer = await listen({ ...address(self), onFrame: take });
  const others = members.filter(({ name }) => name !== self.name);
  const links = new Map<string, Link>(
    others.map((member) => [
      member.name,
      connectLink({
        ...address(member),
        onFrame: take,
        onUp: () => onUp(member.name),
        onDropped: () => onUnreachable(member.name),
        reportUnreachable: () => onUnreachable(member.name),
        retryMs: () => retryMs,
      }),
    ]),
  );
  return {
    others: others.map(({ name }) => name),
    send: (to, body) => void links.get(to)?.send({ from: self.name, ...body } satisfies PeerMessage),
    close: async () => {
      for (const link of links.values()) link.close();
      await server.close();
    },
  };
}

function address({ peerUrl }: Member): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(peerUrl);
  return { host: hostname, port: Number(port) };
}
