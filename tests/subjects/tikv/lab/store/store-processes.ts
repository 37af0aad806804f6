import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../../../subjects/tikv/lab/assets.js';
import type { ProfileName } from '../../../../../subjects/tikv/profiles.js';

/** A store of a test cluster; the same addresses and data over all its lives. */
export interface StoreNode {
  readonly name: string;
  readonly address: string;
  readonly statusAddress: string;
  readonly dataDir: string;
  readonly output: string[];
  child: ChildProcess | null;
}

export interface Stores {
  readonly nodes: readonly StoreNode[];
  start(node: StoreNode): void;
  /** Sends the signal and waits for the end; resolves with the exit code, null after a fatal signal. */
  end(node: StoreNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  /** Closes the pipe to the store, as a dead parent would. */
  closeStdin(node: StoreNode): Promise<number | null>;
  /** Kills what still runs and removes the data. */
  stop(): Promise<void>;
}

const root = packageRoot(import.meta.dirname);
const MAIN = join(root, 'dist/subjects/tikv/lab/store/main.js');

export interface StoreProcessesOptions {
  readonly pd: readonly string[];
  readonly count: number;
  readonly regions?: number;
  readonly profile?: ProfileName;
  /** As the profile says if it is left out. */
  readonly maxPeerDownMs?: number;
}

/** Stores as real processes of compiled code, not started yet. */
export async function storeProcesses({
  pd,
  count,
  regions = 24,
  profile = 'fast',
  maxPeerDownMs,
}: StoreProcessesOptions): Promise<Stores> {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run \`npm run build\` first`);
  const dir = mkdtempSync(join(tmpdir(), 'medic-stores-'));
  const ports = await freePorts(2 * count);
  const nodes = Array.from(
    { length: count },
    (_, index): StoreNode => ({
      name: `tikv-${index}`,
      address: `127.0.0.1:${ports[2 * index]}`,
      statusAddress: `127.0.0.1:${ports[2 * index + 1]}`,
      dataDir: join(dir, `tikv-${index}`),
      output: [],
      child: null,
    }),
  );
  const argsOf = (node: StoreNode) => [
    ...['--name', node.name, '--data-dir', node.dataDir, '--addr', node.address],
    ...['--status-addr', node.statusAddress, '--pd', pd.join(','), '--profile', profile],
    ...[
      '--seed-stores',
      nodes.map(({ name }) => name).join(','),
      '--seed-addrs',
      nodes.map(({ address }) => address).join(','),
    ],
    ...['--regions', String(regions)],
    ...(maxPeerDownMs === undefined ? [] : ['--max-peer-down-ms', String(maxPeerDownMs)]),
  ];
  const ended = (node: StoreNode) =>
    new Promise<number | null>((resolve) => {
      if (node.child === null || node.child.exitCode !== null || node.child.signalCode !== null)
        resolve(node.child?.exitCode ?? null);
      else node.child.once('exit', (code) => resolve(code));
    });
  return {
    nodes,
    start(node) {
      const child = spawn(process.execPath, [MAIN, ...argsOf(node)], { stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdout.on('data', (chunk: Buffer) => node.output.push(...chunk.toString().split('\n').filter(Boolean)));
      child.stderr.on('data', (chunk: Buffer) => node.output.push(...chunk.toString().split('\n').filter(Boolean)));
      node.child = child;
    },
    async end(node, signal) {
      node.child?.kill(signal);
      return ended(node);
    },
    async closeStdin(node) {
      node.child?.stdin?.end();
      return ended(node);
    },
    async stop() {
      for (const { child } of nodes) child?.kill('SIGKILL');
      await Promise.all(nodes.map(ended));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Free at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
