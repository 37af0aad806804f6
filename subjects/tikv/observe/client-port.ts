import { connect } from 'node:net';
import type { ClientPort } from '../picture.js';

export interface Knock {
  /** `host:port` */
  readonly address: string;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Opens a connection and closes it again without a word. Never throws. */
export function knock({ address, deadlineMs, signal }: Knock): Promise<ClientPort> {
  const at = address.lastIndexOf(':');
  const socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)), signal });
  return new Promise((resolve) => {
    const end = (found: ClientPort) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(deadlineMs, () => end({ kind: 'silent', afterMs: deadlineMs }));
    socket.once('connect', () => end({ kind: 'open' }));
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      end(code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'broken', why: message }),
    );
  });
}
