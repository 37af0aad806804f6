import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../../../subjects/tikv/lab/assets.js';
import { parseExact } from './recordings.js';

const MAIN = join(packageRoot(import.meta.dirname), 'dist/subjects/tikv/lab/pd/main.js');
const NAMES = ['pd-0', 'pd-1', 'pd-2'] as const;

export type Name = (typeof NAMES)[number];

/** An HTTP answer, or null where none came. */
export interface Got {
  readonly status: number | null;
  readonly body: string;
  readonly elapsedMs: number;
}

/** Three PDs as processes, compiled, on loopback. `dist/` must be built. */
export class PdProcesses {
  readonly names: readonly Name[] = NAMES;
  readonly #processes = new Map<Name, ChildProcess>();
  readonly #logs = new Map<Name, string>();

  private constructor(
    readonly dir: string,
    readonly ports: readonly number[],
  ) {}

  static async create(): Promise<PdProcesses> {
    return new PdProcesses(await mkdtemp(join(tmpdir(), 'medic-pd-')), await freePorts(2 * NAMES.length));
  }

  clientUrl(name: Name): string {
    return `http://127.0.0.1:${this.ports[NAMES.indexOf(name)]}`;
  }

  start(name: Name): void {
    const list = (url: (each: Name) => string) => NAMES.map((each) => `${each}=${url(each)}`).join(',');
    const peerUrl = (each: Name) => `http://127.0.0.1:${this.ports[NAMES.length + NAMES.indexOf(each)]}`;
    const options = {
      name,
      'data-dir': join(this.dir, name),
      'client-url': this.clientUrl(name),
      'peer-url': peerUrl(name),
      'initial-cluster': list(peerUrl),
      'initial-clients': list((each) => this.clientUrl(each)),
      profile: 'fast',
    };
    const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]);
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const note = (chunk: Buffer) => void this.#logs.set(name, `${this.#logs.get(name) ?? ''}${chunk}`);
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    this.#processes.set(name, child);
  }

  startAll(): void {
    for (const name of NAMES) this.start(name);
  }

  /** SIGKILL, and wait until it is gone. */
  async kill(name: Name): Promise<void> {
    await this.#end(name, (child) => child.kill('SIGKILL'));
  }

  /** SIGTERM, and the exit code. */
  async stop(name: Name): Promise<number | null> {
    return this.#end(name, (child) => child.kill('SIGTERM'));
  }

  /** Closes the standard input, as the death of labd does. */
  async orphan(name: Name): Promise<number | null> {
    return this.#end(name, (child) => child.stdin?.end());
  }

  log(name: Name): string {
    return this.#logs.get(name) ?? '';
  }

  async get(
    name: Name,
    path: string,
    { method = 'GET', withinMs = 8_000, body = null as string | null } = {},
  ): Promise<Got> {
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    try {
      const signal = AbortSignal.timeout(withinMs);
      const answer = await fetch(`${this.clientUrl(name)}${path}`, { method, body, signal });
      return { status: answer.status, body: await answer.text(), elapsedMs: elapsed() };
    } catch (error) {
      return { status: null, body: String(error), elapsedMs: elapsed() };
    }
  }

  /** PD's leader as this member tells it, or what it answers instead. */
  async leaderBy(name: Name): Promise<string> {
    const { status, body } = await this.get(name, '/pd/api/v1/leader');
    return status === 200 ? (parseExact(body) as { name: string }).name : `${status} ${body.trim()}`;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((name) => this.kill(name)));
    await rm(this.dir, { recursive: true, force: true });
  }

  async #end(name: Name, how: (child: ChildProcess) => unknown): Promise<number | null> {
    const child = this.#processes.get(name);
    if (child === undefined) return null;
    this.#processes.delete(name);
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      how(child);
      await gone;
    }
    return child.exitCode;
  }
}

/** Ports that nobody listens on now; all are held at once, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
