// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings hold bash
/** A seeded generator of bash scripts over the stub commands `c0` to `c9`, with every construct that hides a command. */
export function randomScript(seed: number): string {
  const roll = dice(seed);
  return list({ roll, depth: 3, quoted: false });
}

type Dice = (sides: number) => number;

interface Context {
  readonly roll: Dice;
  readonly depth: number;
}

type Quoting = Context & { readonly quoted: boolean };

/** mulberry32 */
function dice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

const pick = <T>({ roll }: Context, choices: readonly T[]): T => choices[roll(choices.length)] as T;
const deeper = <C extends Context>(context: C): C => ({ ...context, depth: context.depth - 1 });
const stub = (context: Context): string => `c${context.roll(10)}`;

function list(context: Quoting): string {
  const count = 1 + context.roll(3);
  const parts = Array.from({ length: count }, () => statement(context));
  return parts.join(pick(context, ['; ', ' && ', ' || ', '\n', '; ', ' | ']));
}

function statement(context: Quoting): string {
  if (context.depth <= 0) return simple(context);
  const c = deeper(context);
  const choices: (() => string)[] = [
    () => simple(c),
    () => simple(c),
    () => carrier(c),
    () => carrier(c),
    () => `${simple(c)} | ${simple(c)}`,
    () => `( ${list(c)} )`,
    () => `{ ${list(c)}; }`,
    () => `! ${simple(c)}`,
    () => `time ${simple(c)}`,
    () => `if ${list(c)}; then ${list(c)}; elif ${simple(c)}; then ${list(c)}; else ${list(c)}; fi`,
    () => `for v in ${words(c)}; do ${list(c)}; done`,
    () => `while ${simple(c)}; do ${list(c)}; break; done`,
    () => `until ${simple(c)}; do ${list(c)}; break; done`,
    () => `case ${word(c)} in x|a*) ${list(c)} ;; *) ${list(c)} ;; esac`,
    () => `[[ ${word(c)} == ${word(c)} ]] && ${simple(c)}`,
    () => `[ "$x" = ${word(c)} ] ; ${simple(c)}`,
    () => `x=${word(c)}; ${list(c)}`,
    () => `x=${nasty(c)}; ${simple(c)} "$x" $x`,
    () => `while read -r l; do ${simple(c)} "$l"; done < <(${simple(c)})`,
    () => `${simple(c)} <<EOF\nbody $(${simple(c)})\nEOF\n${simple(c)}`,
    () => `${simple(c)} <<'EOF'\nbody $(c9 hidden)\nEOF\n${simple(c)}`,
    () => `${simple(c)} <<< ${word(c)}`,
    () => `${simple(c)} &\nwait $!`,
    () => `trap '${stub(c)} trapped' EXIT; ${simple(c)}`,
    () => `${simple(c)} > out.txt 2>&1`,
    () => `f${c.roll(1_000_000)}() { ${simple(c)}; }`,
  ];
  return pick(context, choices)();
}

function simple(context: Quoting): string {
  const assign = context.roll(6) === 0 ? `LC_ALL=${pick(context, ['C', '"C"', "'C'"])} ` : '';
  return `${assign}${stub(context)} ${words(context)}`.trimEnd();
}

/** A script without quotes of its own, so that it can stand in single quotes. */
const bare = (context: Context): string =>
  Array.from({ length: 1 + context.roll(2) }, () => `${stub(context)} in${context.roll(9)} $x`).join(
    pick(context, ['; ', ' && ', ' | ']),
  );

function carrier(context: Quoting): string {
  const inner = `${stub(context)} ${words(context)}`;
  const choices = [
    () => `sh -c '${bare(context)}'`,
    () => `bash -c '${bare(context)}' zero one`,
    () => `bash --norc -ec "${bare({ ...context }).replace(/\$/g, '\\$')}"`,
    () => `env ${inner}`,
    () => `env LC_ALL=C timeout 5 ${inner}`,
    () => `timeout -k 1 5 ${inner}`,
    () => `nohup nice -n 1 ${inner}`,
    () => `command ${inner}`,
    () => `(exec ${inner})`,
    () => `(exec -a other ${inner})`,
    () => `eval '${bare(context)}'`,
    () => `eval ${stub(context)} plain`,
    () => `printf 'p q\\nr' | xargs -n1 ${stub(context)} given`,
    () => `printf 'p q\\nr\\n' | xargs -I{} ${stub(context)} 'x{}y' z`,
    () => `sh -c "sh -c '${bare(context).replace(/\$/g, '\\\\\\$')}'"`,
    () => `find . -maxdepth 0 -exec ${stub(context)} {} \\;`,
    () => `trap '${bare(context)}' USR1; kill -USR1 $$`,
  ];
  return pick(context, choices)();
}

const words = (context: Quoting): string => Array.from({ length: context.roll(4) }, () => word(context)).join(' ');

function word(context: Quoting): string {
  const choices: (() => string)[] = [
    () => `w${context.roll(9)}`,
    () => `'s q${context.roll(9)}'`,
    () => `"d q${context.roll(9)}"`,
    () => `e\\ s`,
    () => `m"i"x'e'd`,
    () => `$'\\x61\\tb'`,
    () => '$x',
    () => '"$x"',
    () => `"\${x:-default}"`,
    () => `\${#x}`,
    () => `"\${x#a}"`,
    () => `{l,r}${context.roll(9)}`,
    () => `{1..3}`,
    () => `$((1 + ${context.roll(9)}))`,
    () => '~',
    () => '*.nothing',
    () => '/e*c',
    () => '""',
    () => '-- -x',
    () => `'$(c9 hidden)'`,
    () => nasty(context),
  ];
  if (context.depth > 0) {
    const c = deeper(context);
    choices.push(
      () => `$(${list(c)})`,
      () => `"$(${simple(c)})"`,
      () => `\`${stub(c)} back\``,
      () => `\${y:-$(${simple(c)})}`,
      () => `"\${y:=$(${stub(c)})}"`,
      () => `<(${simple(c)})`,
      () => `"a\${y:+$(${stub(c)})}b"`,
    );
  }
  return pick(context, choices)();
}

/** Texts that bash would run if anything evaluated them once more. */
const nasty = (context: Context): string =>
  pick(context, [
    `'a[$(c9 evaluated)]'`,
    `'$(c9 evaluated)'`,
    `'\`c9 evaluated\`'`,
    `'; c9 evaluated'`,
    `'x() { c9 evaluated; }'`,
  ]);
