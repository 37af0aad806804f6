import { spawn } from 'node:child_process';
import type { ProcessIdentity } from './process-look.js';

/** Outlives labd by two seconds and ends what labd could not. */
export interface Guardian {
  watch(process: ProcessIdentity): void;
  /** Its work is done: labd has ended its nodes itself. */
  end(): void;
}

/**
 * Starts the guardian, a bare shell (1 MB) on a pipe. Nodes end by themselves when labd is killed, because their pipes
 * close; a frozen one cannot notice. When the guardian's own pipe closes, it waits a little and then kills each watched
 * process that still runs, told apart from a later owner of its pid by its start time.
 */
export function startGuardian(): Guardian {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'] });
  shell.stdin.on('error', () => undefined);
  // Without a shell the lab works, only frozen nodes outlive a killed labd.
  shell.on('error', () => undefined);
  return {
    watch: ({ pid, start }) => shell.stdin.write(`${pid} ${start}\n`),
    end: () => shell.kill('SIGKILL'),
  };
}

/** After `pid (name) ` the 20th word of /proc/<pid>/stat is the start time; the name may hold blanks. */
const SCRIPT = `
trap '' INT TERM HUP
watched=''
while read -r pid start; do watched="$watched $pid:$start"; done
sleep 2
for one in $watched; do
  pid=\${one%:*}
  stat=$(cat /proc/$pid/stat) || continue
  set -- \${stat##*) }
  if [ "\${20}" = "\${one#*:}" ]; then kill -KILL $pid; fi
done
`;
