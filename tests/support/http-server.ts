import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';

/** A real server on loopback. */
export interface TestServer {
  /** `127.0.0.1:40123` */
  readonly address: string;
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves HTTP on a free port. */
export async function serveHttp(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  return started(server, () => server.closeAllConnections());
}

/** Takes connections and never says a word, as a stopped process does. */
export async function serveSilence(): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  return started(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

/** An address that refuses connections: it was free a moment ago. */
export async function refusingServer(): Promise<TestServer> {
  const server = await serveSilence();
  await server.close();
  return { ...server, close: async () => undefined };
}

async function started(server: Server | TcpServer, hangUp: () => void): Promise<TestServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    origin: `http://${address}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        hangUp();
      }),
  };
}
