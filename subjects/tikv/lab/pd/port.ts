import type { Server as HttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';

/** HTTP/2 begins with a line that no other HTTP has, so three bytes tell gRPC from the rest. */
const HTTP2_START = Buffer.from('PRI');

export interface PortOptions {
  readonly host: string;
  readonly port: number;
  readonly http: HttpServer;
  /** Takes a connection of gRPC, unread. */
  readonly grpc: (socket: Socket) => void;
  /** Until then connections are accepted and left alone, as etcd does before it has joined. */
  readonly opens: Promise<void>;
}

/** The one port of PD: HTTP and gRPC side by side. */
export interface ClientPort {
  close(): void;
}

/** @throws the error of `listen(2)`, most of all EADDRINUSE */
export async function openClientPort({ host, port, http, grpc, opens }: PortOptions): Promise<ClientPort> {
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void opens.then(() => route(socket, { http, grpc }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Reads the first bytes, puts them back and hands the socket over, not flowing. */
function route(socket: Socket, { http, grpc }: Pick<PortOptions, 'http' | 'grpc'>): void {
  if (socket.destroyed) return;
  socket.setNoDelay(true);
  socket.once('readable', () => {
    const first: Buffer | null = socket.read();
    if (first === null) return;
    socket.unshift(first);
    if (first.subarray(0, HTTP2_START.length).equals(HTTP2_START)) grpc(socket);
    else http.emit('connection', socket);
  });
}
