import { parseStoreArgs } from './args.js';
import { systemClock } from './clock.js';
import { createLog } from './log.js';
import { startStore } from './store.js';

/** Entry point of a store process; the start line is that of `args.ts`. Ends on SIGTERM and when stdin closes. */
const log = createLog({ now: systemClock.now, write: (line) => void process.stdout.write(line) });

function onFatal(error: Error): void {
  log.fatal('server.rs', error.message);
  process.exit(1);
}

async function run(): Promise<void> {
  const args = parseStoreArgs(process.argv.slice(2));
  log.info('lib.rs', 'Welcome to TiKV (stand-in)', { name: args.name, profile: args.profile.name });
  const store = await startStore({ args, clock: systemClock, log, onFatal });
  log.info('server.rs', 'TiKV is ready to serve', { addr: args.address, status_addr: args.statusAddress });
  let stopping = false;
  const stop = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info('signal_handler.rs', why);
    await store.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop('receive signal 15, stopping server...'));
  process.on('SIGINT', () => void stop('receive signal 2, stopping server...'));
  // The daemon that started this process holds the other end: a lab must not outlive it.
  process.stdin.on('close', () => void stop('stdin closed, stopping server...')).resume();
  process.stdout.on('error', () => undefined);
}

run().catch(onFatal);
