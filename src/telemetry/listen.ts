import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MedicError } from '../domain/errors.js';

/** A server that takes connections. */
export interface Listening {
  readonly port: number;
  /** Ends open connections, too. */
  close(): Promise<void>;
}

/**
 * Lets a server listen.
 *
 * @param place - `port` 0 takes any free one; `words` name the place in the error
 * @throws MedicError `MEDIC_PORT_TAKEN`
 */
export async function listen(
  server: Server,
  { host, port, words }: { readonly host: string; readonly port: number; readonly words: string },
): Promise<Listening> {
  const refusal = (failure: NodeJS.ErrnoException): Error =>
    failure.code === 'EADDRINUSE' ? new MedicError('MEDIC_PORT_TAKEN', `${words} is in use`) : failure;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => reject(refusal(failure)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
