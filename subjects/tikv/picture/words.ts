import type { ClientPort, Reach, Witness } from '../picture.js';

/** `11 s`, `0.8 s`, `3 min`: ages as a person says them. */
export function ageWords(ms: number): string {
  if (ms < 1_000) return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** `connection refused`, `connected, but no answer within 900 ms`. */
export function reachWords(reach: Reach): string {
  switch (reach.kind) {
    case 'answers':
      return reach.status === 200 ? `answers in ${reach.ms} ms` : `answers ${reach.status}`;
    case 'refused':
      return 'connection refused';
    case 'silent':
      return `${reach.connected ? 'connected, but no answer' : 'no connection'} within ${reach.afterMs} ms`;
    case 'broken':
      return reach.why;
  }
}

/** `open`, `connection refused`, `no connection within 900 ms`. */
export function clientPortWords(port: ClientPort): string {
  switch (port.kind) {
    case 'open':
      return 'open';
    case 'refused':
      return 'connection refused';
    case 'silent':
      return `no connection within ${port.afterMs} ms`;
    case 'broken':
      return port.why;
  }
}

/** Back from {@link reachWords}, for evidence that kept only the words. */
export function reachFromWords(words: string): Reach {
  const silent = /^(connected, but no answer|no connection) within (\d+) ms$/.exec(words);
  if (silent) return { kind: 'silent', afterMs: Number(silent[2]), connected: silent[1] !== 'no connection' };
  return words === 'connection refused' ? { kind: 'refused' } : { kind: 'broken', why: words };
}

/** `running (pid 4711)`, `exited 137, died`, `exited 0, stopped by request`. */
export function witnessWords({ state, pid, exitCode, stoppedByRequest }: Witness): string {
  if (state !== 'exited') return `${state} (pid ${pid ?? '-'})`;
  return `exited ${exitCode ?? '-'}, ${stoppedByRequest ? 'stopped by request' : 'died'}`;
}

/** `1 region has`, `7 regions have`. */
export function regionsHave(count: number): string {
  return count === 1 ? '1 region has' : `${count} regions have`;
}
