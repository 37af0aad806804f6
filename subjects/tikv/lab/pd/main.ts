import { join } from 'node:path';
import { blankRestored } from '../raft/restored.js';
import { openStorage } from '../raft/storage.js';
import { parsePdArgs } from './args.js';
import { createForwarder } from './forwarder.js';
import { GROUP } from './group.js';
import { createHttpServer } from './http.js';
import { createLog, type Log } from './log.js';
import { openMember } from './member.js';
import { openClientPort } from './port.js';
import { createRpcServer } from './rpc/server.js';

/** One PD member as a process. It ends on SIGTERM and when its standard input closes, so that it never outlives labd. */
async function main(log: Log): Promise<void> {
  const { self, members, dataDir, profile } = parsePdArgs(process.argv.slice(2));
  const times = profile.cluster;
  // The answer to the request that removed this member may still be on its way out.
  let leaveGroup: () => void = () => process.exit(0);
  const { storage, groups, droppedBytes } = await openStorage({ dir: join(dataDir, 'raft') });
  const member = await openMember({
    self,
    members,
    times,
    dataDir,
    storage,
    restored: groups.get(GROUP) ?? blankRestored(),
    log,
    onFailure: (error) => die(log, error),
    onRemoved: () => setTimeout(() => leaveGroup(), times.pdTickMs),
  });
  const http = createHttpServer({
    node: member,
    forwarder: createForwarder({ self }),
    redirectWaitMs: times.pdRedirectWaitMs,
  });
  const rpc = createRpcServer({ node: member, keepAliveMs: times.regionHeartbeatMs });
  const { hostname, port } = new URL(self.clientUrl);
  const clientPort = await openClientPort({
    host: hostname,
    port: Number(port),
    http,
    grpc: rpc.take,
    opens: member.joined,
  });
  log({
    level: 'INFO',
    source: 'main.go:1',
    message: 'Welcome to Placement Driver (PD), stand-in',
    fields: { name: self.name, 'client-url': self.clientUrl, profile: profile.name, 'dropped-bytes': droppedBytes },
  });

  let stopping = false;
  const stop = async (reason: string, before: () => Promise<void>) => {
    if (stopping) return;
    stopping = true;
    log({ level: 'INFO', source: 'main.go:2', message: 'closing server', fields: { reason } });
    await before();
    await member.close();
    clientPort.close();
    rpc.close();
    process.exit(0);
  };
  leaveGroup = () => abandon('the member has been permanently removed from the cluster');
  const leave = (signal: string) => void stop(signal, () => member.handOver());
  // Without a parent the whole lab ends: there is nobody to hand anything over to.
  const abandon = (reason: string) => void stop(reason, async () => undefined);
  process.on('SIGTERM', leave);
  process.on('SIGINT', leave);
  process.stdout.on('error', () => abandon('standard output failed'));
  process.stdin.on('end', () => abandon('standard input closed'));
  process.stdin.on('error', () => abandon('standard input failed'));
  process.stdin.resume();
}

function die(log: Log, error: unknown): never {
  log({ level: 'ERROR', source: 'main.go:3', message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

const log = createLog({ write: (text) => void process.stdout.write(text), now: () => new Date() });
main(log).catch((error: unknown) => die(log, error));
