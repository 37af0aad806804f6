// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings hold bash
import { describe, expect, it } from '@jest/globals';
import { parseCommand } from '../../../src/policy/parse.js';

/** Every argv as `place: words`, with `?` behind a word that only the run decides and `*` behind one that may be many. */
const flat = (command: string): string[] =>
  parseCommand(command).commands.map(({ where, words, reads, writes }) =>
    [
      ...where.map((place) => `${place}:`),
      ...words.map(({ text, dynamic, multi }) => text + (dynamic ? '?' : '') + (multi ? '*' : '')),
      ...reads.map((path) => `<${path}`),
      ...writes.map((path) => `>${path}`),
    ].join(' '),
  );

const codes = (command: string): string[] => [...new Set(parseCommand(command).refusals.map(({ code }) => code))];
const reasons = (command: string): string =>
  parseCommand(command)
    .refusals.map(({ reason }) => reason)
    .join('; ');

describe('flattening a command line', () => {
  it.each<[string, string[]]>([
    ['ls -l /var', ['ls -l /var']],
    [
      "docker exec t sh -c 'kill -9 1 && rm -rf /data'",
      ['t: sh -c kill -9 1 && rm -rf /data', 't: kill -9 1', 't: rm -rf /data'],
    ],
    [`sh -c "sh -c \\"docker exec p sh -c 'kill -STOP 1'\\""`, ['p: sh -c kill -STOP 1', 'p: kill -STOP 1']],
    ['PD=x pd-ctl -u "$PD" store delete 1', ['pd-ctl -u $PD? store delete 1']],
    ['echo "$(tiup ctl pd store $(hostname))"', ['tiup ctl pd store $(hostname)?*', 'hostname']],
    ['x 2>&1 >o </dev/null', ['x </dev/null >o']],
    [`r''m -r"f" /da\\ta`, ['rm -rf /data']],
    [`$'\\x72\\x6d' -rf /`, ['rm -rf /']],
    ['diff <(a) <(ssh h b)', ['diff <(a)? <(ssh h b)?', 'a', 'ssh h b', 'h: b']],
    ['echo ${x:-$(reboot)}', ['reboot']],
    ['x=$(case a in a) reboot;; esac)', ['reboot']],
    ['while read l; do kill $l; done < <(ps)', ['read l', 'kill $l?*', 'ps']],
    ['a | b && c || d; e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for i in $(a); do (b; { c; }) done > f', ['a', 'b', 'c', '>f']],
    ['case $(a) in x) b;; *) c;; esac', ['a', 'b', 'c']],
    ['! time a', ['a']],
    ['until a; do b; done', ['a', 'b']],
    ['[[ $(a) == b ]] && c', ['a', 'c']],
    ['cat <<< "$(a)"', ['cat', 'a']],
    ['echo `a \\`b\\``', ['a `b`?*', 'b']],
    ['> f', ['>f']],
    ['a >| f 2>> g &> h', ['a >f >g >h']],
    ['ls /x/*.log {a,b} ~/c', ['ls /x/*.log* {a,b}?* ~/c?']],
    ['env -i A=1 B="$x" timeout -k 1 5 nohup nice -n 5 command -p a b', ['a b']],
    ['xargs -n1 -0 a b', ['a b …?*']],
    ["xargs -I{} a 'x{}' b", ['a x{}? b']],
    ['find /x -name y -exec a {} \\; -execdir b {} +', ['a …?*', 'b …?*']],
    ['exec -a z a; builtin echo b; busybox c', ['a', 'echo b', 'c']],
    ["eval 'a; b'; trap 'c; d' EXIT", ['a', 'b', 'c', 'd']],
    ['bash -euo pipefail -c "a | b" x $y', ['a', 'b']],
    ["ssh -o BatchMode=yes -p 22 u@h 'a; b' c", ['u@h: a', 'u@h: b c']],
    ['sudo -u root a', ['a']],
  ])('%s', (command, expected) => {
    expect(flat(command)).toEqual(expect.arrayContaining(expected));
    expect(reasons(command)).toBe('');
  });

  it('does not run what stands in a quoted here-document, and does what stands in an unquoted one', () => {
    expect(flat("cat <<'EOF' > f\n$(rm -rf /)\nEOF")).toEqual(['cat >f']);
    expect(flat('cat <<EOF | ssh h bash -s\n$(id)\nEOF')).toEqual(['cat', 'id', 'ssh h bash -s', 'h: bash -s']);
  });

  it('shows what a refused command would run as well', () => {
    expect(flat('echo $((1+$(reboot|wc -c)))')).toEqual(expect.arrayContaining(['reboot', 'wc -c']));
    expect(flat('a[$(reboot)]=1')).toContain('reboot');
    expect(flat('timeout 5 env -i PATH=/bin nohup xargs -n1 kill < pids')).toContain('kill …?*');
  });

  it('carries the variables set for a command through to what it starts', () => {
    const { commands } = parseCommand('A=1 env B=2 timeout 5 a');
    expect(commands.map(({ words, env }) => [words[0]?.text, env])).toEqual([
      ['env', ['A']],
      ['timeout', ['A', 'B']],
      ['a', ['A', 'B']],
    ]);
  });
});

describe('a command that cannot be read for certain', () => {
  it.each([
    'echo "unterminated',
    'if a; then b',
    'a;;b',
    'echo $(a; echo "$(b)',
    "sh -c 'if a'",
    `docker exec p sh -c "sh -c 'a &&'"`,
    'echo ${x!y}',
    '',
    '# nothing',
    'c $(a <<E\nx\nE\nb; X=1 d <<< y)',
    'coproc a { b; }',
    'select x in a; do b; done',
    'x=([$(a)]=1)',
    `${'('.repeat(300)}a${')'.repeat(300)}`,
    `echo ${'x'.repeat(20_000)}`,
  ])('is refused as unparsable: %j', (command) => {
    expect(codes(command)).toContain('MEDIC_POLICY_PARSE');
  });

  it.each([
    'a &> f',
    'a |& b',
    'a <(b)',
    '[[ -f x ]]',
    "$'a'",
    'a {b,c}',
    '((1))',
    'a <<< b',
    'x+=1',
    'a >& f',
    'a 10> f',
    'time a',
    'echo ${x^^}',
  ])('is refused within sh -c when only bash reads it so: %s', (script) => {
    expect(codes(`docker exec p sh -c "${script.replace(/\$/g, '\\$')}"`)).toContain('MEDIC_POLICY_PARSE');
    expect(codes(`bash -c "${script.replace(/\$/g, '\\$')}"`)).not.toContain('MEDIC_POLICY_PARSE');
  });
});

describe('a command whose doings are decided at run time', () => {
  it.each([
    '$x a',
    '"$(a)" b',
    '/bin/r* x',
    '~/bin/a',
    '{rm,-rf} /',
    '"" a',
    'ls() { rm -rf "$1"; }; ls /',
    'function f { a; }',
    'alias ls=rm',
    'source /x',
    '. /x',
    'eval "$x"',
    'eval a "$x"',
    'trap "$x" EXIT',
    'bash -s',
    'bash',
    'bash /x.sh',
    'a | sh',
    'bash -c "$x"',
    'bash -c "kill $x"',
    'bash -ic a',
    'bash --rcfile /x -c a',
    'zsh -c a',
    'ssh h',
    'ssh h "$x"',
    'ssh -o ProxyCommand=a h b',
    'ssh -F /x h b',
    'ssh h bash -s',
    'docker exec "$c" a',
    'docker exec $o c a',
    'docker -H tcp://x exec c a',
    'docker container exec c a',
    'env -S "a b"',
    'env $x a',
    'env - a',
    'sudo A=1 b',
    'timeout $x a',
    'xargs -I{} sh -c "a {}"',
    'xargs sh -c',
    'xargs env',
    'find / $x',
    'find /x -exec sh -c {} \\;',
    'export PATH=/tmp',
    'PATH=/tmp ls',
    'PATH=/tmp; ls',
    'for PATH in /tmp; do ls; done',
    'read PATH < /x; ls',
    'echo ${PATH:=/tmp}',
    'exec {PATH}> /tmp/x',
    'LD_PRELOAD=/x ls',
    'BASH_ENV=/x bash -c a',
    "PS4='$(a)'; set -x; b",
    "env 'BASH_FUNC_ls%%=() { a; }' bash -c ls",
    "x='a[$(reboot)]'; echo $((x))",
    "x='a[$(reboot)]'; ((x))",
    "x='a[$(reboot)]'; [[ $x -eq 1 ]]",
    "[[ 'a[$(reboot)]' -eq 1 ]]",
    "[[ -v 'a[$(reboot)]' ]]",
    "test -v 'a[$(reboot)]'",
    '[ "$x" "$y" ]',
    '[ $x = 1 ]',
    "x='a[$(reboot)]'; echo ${y:x}",
    "x='a[$(reboot)]'; echo ${y[x]}",
    "x='a[$(reboot)]'; echo ${!x}",
    "x='$(reboot)'; echo ${x@P}",
    "unset 'a[$(reboot)]'",
    "read 'a[$(reboot)]'",
    "printf -v 'a[$(reboot)]' x",
    'printf "$f" \'a[$(reboot)]\'',
    "declare -i x='a[$(reboot)]'",
    "let 'a[$(reboot)]'",
    "wait -n -p 'a[$(reboot)]'",
    'for ((i=0; i<3; i++)); do a; done',
    "mapfile -C 'reboot #' -c 1",
    "compgen -W '$(reboot)'",
    'enable -f /x y',
    'hash -p /x ls',
    'shopt -s expand_aliases',
    'echo $"x"',
  ])('is refused: %s', (command) => {
    expect(codes(command)).toContain('MEDIC_POLICY_DYNAMIC_COMMAND');
  });

  it('says what it is', () => {
    expect(reasons('$x a')).toBe('the command name `$x` is decided at run time');
    expect(reasons('ls() { a; }')).toBe('it defines a function `ls`, which may shadow a command');
    expect(reasons('PATH=/tmp ls')).toBe('it sets PATH, which decides what other commands run or load');
    expect(reasons('a | sh')).toBe(
      'what `sh` would run is not certain: it would run a script from a file or from standard input',
    );
    expect(reasons('a "')).toBe('unterminated double quote');
  });

  it.each([
    '[ -f /x ]',
    '[ "$x" = y ]',
    '[ ! -n "$x" ]',
    'read -r a b',
    'export LANG=C',
    'unset x',
    'printf "%s" "$x"',
    'set -euo pipefail',
    'wait $!',
    'x=1; echo $x',
    'echo $((1 + 2))',
    'echo ${x:0:3}',
    'IFS= read -r l',
    '[[ $x == a* ]]',
  ])('is not what plain scripting is taken for: %s', (command) => expect(reasons(command)).toBe(''));
});

describe('a text that deceives its reader', () => {
  it.each([
    ['ls \u0000', 'U+0000 at position 3'],
    ['ls \u001b[2K', 'U+001B at position 3'],
    ['ls\r', 'U+000D at position 2'],
    ['ls \u202e/x', 'U+202E at position 3'],
    ['ls \u2066/x', 'U+2066 at position 3'],
    ['ls \u200b', 'U+200B at position 3'],
    ['ls\u00a0-l', 'U+00A0 at position 2'],
    ['ls\u2028rm', 'U+2028 at position 2'],
    ['ls \ud800', 'U+D800 at position 3'],
  ])('is refused: %j', (command, where) => {
    expect(parseCommand(command)).toEqual({
      commands: [],
      refusals: [{ code: 'MEDIC_POLICY_CONTROL_CHARACTER', reason: `character ${where}` }],
    });
  });

  it('is not one with newlines, tabs and letters of other scripts', () => {
    expect(reasons('echo "grüße\t界"\nls')).toBe('');
  });
});
