import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Takes connections and never says anything, as a process that was stopped by SIGSTOP: the kernel takes them for it. */
export async function silentServer(): Promise<{ address: string; end: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, end };
}
