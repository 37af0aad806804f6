import { parseStoreArgs } from './args.js';
import { systemClock } from './clock.js';
import { createLog } from './log.js';
import { startStore } from './store.js';

/** Entry point of a store process; the start line is that of `args.ts`. Ends gracefully on SIGTERM, at once when stdin closes. */
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
  const stop = async () => {
    await store.close();
    process.exit(0);
  };
  const stopGracefully = async (why: string) => {
    if (stopping) return;
    stopping = true;
    log.info('signal_handler.rs', why);
    await store.drain();
    await stop();
  };
  process.on('SIGTERM', () => void stopGracefully('receive signal 15, stopping server...'));
  process.on('SIGINT', () => void stopGracefully('receive signal 2, stopping server...'));
  // The daemon that started this process holds the other end: a lab must not outlive it, and has no time to wait.
  process.stdin.on('close', () => void stop()).resume();
  process.stdout.on('error', () => undefined);
}

run().catch(onFatal);
