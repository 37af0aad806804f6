import type { Refusal } from './text.js';

/**
 * Variables that decide what other commands run, load or talk to. Setting one makes every later word mean something
 * else, so a command that sets one is refused, whatever the value.
 */
const STEERING = [
  /^(PATH|HOME|SHELL|ENV|BASH_.*|BASHOPTS|SHELLOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|EXECIGNORE|FPATH|IGNOREEOF)$/,
  /^(LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|TEXTDOMAIN.*|TERMINFO.*|MALLOC_.*|GLIBC_.*|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS)$/,
  /^(PYTHON.*|PERL.*|RUBY.*|NODE_.*|JAVA_.*|_JAVA_.*|JDK_.*|GO.*|LUA_.*|AWK.*|GAWK.*|POSIXLY_CORRECT)$/,
  /^(EDITOR|VISUAL|BROWSER|.*PAGER|LESS.*|MORE|GREP_.*|GIT_.*|SSH_.*|RSYNC_.*|DOCKER_.*|KUBE.*|CURL_.*|WGET.*|XDG_.*|TMPDIR|TAR_.*|GZIP|JQ_.*)$/,
  /^(MEDIC_.*|TEMPORAL_.*|ANTHROPIC_.*|.*_proxy|.*_PROXY)$/,
];

/** Harmless in front of a command: they change how it prints, not what it does. */
const PRINTING = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|NO_COLOR|IFS)$/;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Refuses to set `name`; `null` when setting it changes nothing but the value of a later `$name`. */
export function checkName(name: string): Refusal | null {
  if (!NAME.test(name)) return refuse(`\`${name}\` is no plain variable name, and bash would evaluate it`);
  if (!STEERING.some((pattern) => pattern.test(name))) return null;
  return refuse(`it sets ${name}, which decides what other commands run or load`);
}

/** Whether a command keeps its class when this variable is set in its environment. */
export const onlyPrints = (name: string): boolean => PRINTING.test(name);

const refuse = (reason: string): Refusal => ({ code: 'MEDIC_POLICY_DYNAMIC_COMMAND', reason });
