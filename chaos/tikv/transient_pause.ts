import { spawn } from 'node:child_process';
import type { Fault, Injection, TargetWish } from '../protocol.js';
import type { NodeProcessDetail } from './node-process.js';
import { processPause } from './process_pause.js';

const SECONDS = 6;
const LEAST_SECONDS = 3;
const KINDS = 8;

/** As a snapshot of the machine, or a debugger. With a seed it lasts 3 to 10 s. */
export const transientPause: Fault<NodeProcessDetail> = {
  ...processPause,
  name: 'transient_pause',
  describe: "A store's process is frozen for some seconds (6, or 3 to 10 by seed) and then goes on by itself.",
  rightEnd: { kind: 'self-cleared' },
  async inject({ lab, target, record }) {
    const injection = await processPause.inject({
      lab,
      target,
      record: (begun) => {
        record(renamed(begun));
        goOnAfter(begun, secondsOf(target));
      },
    });
    return renamed(injection);
  },
};

function renamed(injection: Injection<NodeProcessDetail>): Injection<NodeProcessDetail> {
  const { name } = transientPause;
  return { ...injection, fault: name, id: injection.id.replace(processPause.name, name) };
}

const secondsOf = (wish: TargetWish): number =>
  wish.pick === 'seeded' ? LEAST_SECONDS + (Math.abs(wish.seed) % KINDS) : SECONDS;

/**
 * Armed before the harm, in a process of its own: it must go on also when the injector is gone. Within seconds no other
 * process gets the same pid, and SIGCONT harms none.
 */
function goOnAfter({ detail: { process: hit } }: Injection<NodeProcessDetail>, seconds: number): void {
  const child = spawn('sh', ['-c', `sleep ${seconds}; kill -CONT ${hit.pid}`], { detached: true, stdio: 'ignore' });
  child.unref();
}
