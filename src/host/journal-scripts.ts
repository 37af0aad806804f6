import { quote } from './quote.js';

/** The key was claimed before: nothing was run. */
export const EXIT_CLAIMED = 91;
/** The journal could not be written: nothing was run. */
export const EXIT_UNWRITABLE = 73;

export interface WrapperInput {
  /** Folder of the entry on the host. */
  readonly entry: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly killAfterMs: number;
  /** Most output that the journal keeps. */
  readonly outBytes: number;
}

/** The script that claims an entry, runs the command once and records its end, all on the host's side. */
export const wrapperScript = (input: WrapperInput): string =>
  [
    `entry=${quote(input.entry)}`,
    `command=${quote(input.command)}`,
    `deadline=${input.timeoutMs}`,
    `grace=${input.killAfterMs}`,
    `cap=${Math.ceil(input.outBytes / 1024)}`,
    SHARED,
    WRAPPER,
  ].join('\n');

/** The script that says what an entry holds, and whether what it started still runs. */
export const readerScript = (input: { entry: string; headBytes: number; tailBytes: number }): string =>
  [`entry=${quote(input.entry)}`, `head=${input.headBytes}`, `tail=${input.tailBytes}`, SHARED, READER].join('\n');

/* Times in ms; `born` is the start time of a process, which tells it from a later one with the same pid. */
const SHARED = `
now() { NOW=$EPOCHREALTIME; NOW=\${NOW/[.,]/}; NOW=\${NOW%???}; [ -n "$NOW" ] || NOW=$(date +%s)000; }
born() { BORN=; { read -r BORN < "/proc/$1/stat"; } 2>/dev/null || return 0
  BORN=\${BORN##*) }; set -- $BORN; BORN=\${20}; }
boot() { BOOT=; { read -r BOOT < /proc/sys/kernel/random/boot_id; } 2>/dev/null || :; }
`;

/*
 * The claim is a hard link to a finished file: it either exists with all it says or not at all, so a wrapper killed
 * before it has claimed nothing. The command leads a process group of its own, and a waiter outside of that group
 * reports its end through a pipe, which a read with a timeout can wait for. Output goes through a collector that
 * drains what exceeds the cap, so that a full journal never ends a repair in the middle. A read that times out has
 * taken the part of the line that was there, so the parts are put together.
 */
const WRAPPER = String.raw`
umask 077; home=$PWD
mkdir -p "$entry" && cd "$entry" || exit ${EXIT_UNWRITABLE}
exec 2>/dev/null
asked=
trap 'asked=1' TERM INT HUP
now; born $$; boot
printf '%s' "$command" > command.$$ || exit ${EXIT_UNWRITABLE}
printf 'startedAt=%s\npid=%s\nborn=%s\nboot=%s\n' "$NOW" $$ "$BORN" "$BOOT" > started.$$ || exit ${EXIT_UNWRITABLE}
if ! ln started.$$ started; then
  rm -f started.$$ command.$$
  [ -e started ] && exit ${EXIT_CLAIMED}
  exit ${EXIT_UNWRITABLE}
fi
mv command.$$ command; rm -f started.$$; sync started .
began=$NOW
exec 8> >(trap '' HUP INT TERM XFSZ; exec > /dev/null; ulimit -f "$cap"; cat > out; wc -c > dropped)
collector=$!
exec 9< <(trap : HUP INT TERM; set -m
  (cd "$home"; exec bash --noprofile --norc -c "$command") < /dev/null >&8 2>&1 8>&- &
  exec 8>&-; group=$!; printf '%s\n' $group
  wait $group; while kill -0 $group; do wait $group; done; wait $group; printf '%s\n' $?)
exec 8>&-
read -r group <&9
printf '%s\n' "$group" > group
why=exited; code=; part=
until read -r -t 0.05 part <&9; do
  status=$?; code=$code$part; part=
  [ $status -gt 128 ] || break
  now
  if [ $why = exited ]; then
    if [ -n "$asked" ]; then why=canceled; elif [ $((NOW - began)) -ge $deadline ]; then why=deadline; else continue; fi
    kill -TERM -- -$group; killAt=$((NOW + grace))
  elif [ $NOW -ge $killAt ]; then kill -KILL -- -$group; fi
done
code=$code$part
leftover=0; escaped=0
if kill -0 -- -$group; then
  sleep 0.15
  if kill -0 -- -$group; then leftover=1; kill -TERM -- -$group; sleep 0.15; kill -KILL -- -$group; fi
fi
tries=0
while kill -0 $collector && [ $tries -lt 20 ]; do sleep 0.05; tries=$((tries + 1)); done
kill -0 $collector && escaped=1
now
printf 'finishedAt=%s\ncode=%s\nwhy=%s\nleftover=%s\nescaped=%s\n' "$NOW" "$code" $why $leftover $escaped > exit.$$
sync exit.$$; mv exit.$$ exit; sync .
exit 0
`;

const READER = String.raw`
cd "$entry" 2>/dev/null && [ -e started ] || { printf 'state=none\n\n'; exit 0; }
exec 2>/dev/null
running=0
if [ -e exit ]; then state=finished; else
  state=started
  while IFS='=' read -r name value; do
    case $name in pid) pid=$value ;; born) was=$value ;; boot) booted=$value ;; esac
  done < started
  boot; born "$pid"; group=; { read -r group < group; }
  if [ "$BOOT" = "$booted" ]; then
    if kill -0 "$pid" && [ "$BORN" = "$was" ]; then running=1; elif [ -n "$group" ] && kill -0 -- "-$group"; then running=1; fi
  fi
fi
size=0; dropped=0
[ -e out ] && size=$(wc -c < out); [ -s dropped ] && dropped=$(cat dropped)
printf 'state=%s\nrunning=%s\nsize=%s\ndropped=%s\n' $state $running $((size)) $((dropped))
cat started; [ $state = finished ] && cat exit
printf '\n'
[ -e out ] || exit 0
if [ $((size)) -le $((head + tail)) ]; then cat out; else head -c "$head" out; tail -c "$tail" out; fi
`;
