/**
 * One form of secret. Group 1 is what stays in front of it, group 2 the secret itself; whatever follows stays too.
 * `hint` is a cheap test that saves a costly pattern on text that cannot match.
 *
 * Each rule is scoped to where its form means a secret: ids, hashes, hexadecimal keys and addresses are what a
 * diagnosis lives on. A general entropy rule, or a bare `-u` (pd-ctl takes its URL there), would destroy them.
 */
export interface RedactionRule {
  readonly kind: string;
  readonly hint?: RegExp;
  readonly pattern: RegExp;
}

/** A value in quotes, in quotes that are escaped themselves, or bare up to white space, a quote, `&` or a closing bracket. */
const QUOTED = String.raw`(?<=\\")[^"\\\r\n]+(?=\\")|(?<=")(?:[^"\\\r\n]|\\.)+(?=")|(?<=')[^'\r\n]+(?=')`;
const BARE = String.raw`(?:\\(?!["'])|[^\s"'&\]})\\])+`;
/** Stand-ins that tell a reader something and an attacker nothing: references to variables, empty and boolean values. */
const NO_SECRET = String.raw`(?!\[redacted\]|\$\{?\w+\}?(?:[\s"']|$)|(?:null|nil|none|true|false|undefined)\b|\*+(?:[\s"',]|$)|[{[](?:[\s"'}\]{[]|$))`;
/** One word of a command line, quotes included. */
const WORD = String.raw`(?:'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[^\s'"\\|;&()<>])+`;

/** Names whose value is a secret whatever it looks like. `token` alone is not one (TiKV's logs number event tokens), nor is PD's public `initial-cluster-token`. */
const NAMES = [
  'pass(?:word|wd|phrase)',
  '(?:mysql|db|user)_?pwd',
  'secret(?:[_-]?(?:access[_-]?)?key)?',
  'api[_-]?key',
  'access[_-]?key',
  'private[_-]?key',
  '(?<!cluster)[_-]token',
  'credentials?',
].join('|');
const ASSIGNED = String.raw`\\?["']?\s{0,8}(?::=|=>|==|=|:)\s{0,8}\\?["']?`;

export const RULES: readonly RedactionRule[] = [
  {
    kind: 'private key, also one whose end was cut off',
    hint: /PRIVATE KEY/,
    pattern:
      /()(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$))/g,
  },
  {
    kind: 'private key whose beginning was cut off',
    hint: /PRIVATE KEY/,
    pattern: /()((?:[A-Za-z0-9+/=]{1,76}\r?\n){0,100}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)/g,
  },
  {
    kind: 'authorization header',
    pattern:
      /(\bauthorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?(?:basic|bearer|token|digest|negotiate|apikey|aws4-hmac-sha256)\s{1,8})(?!\[redacted\])([^\s"'\\]+)/gi,
  },
  {
    kind: 'authorization header without a scheme',
    pattern: /(\bauthorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)((?=[^\s"'\\]{0,80}\d)[^\s"'\\]{16,})/gi,
  },
  { kind: 'bearer token', pattern: /(\bbearer\s{1,8})((?=[\w.~+/=-]{0,200}\d)[\w.~+/=-]{16,})/gi },
  { kind: 'JSON web token', pattern: /(\b)(eyJ[\w-]{8,}(?:\.[\w-]*){2,4})/g },
  { kind: 'Anthropic or OpenAI key', pattern: /(\b)(sk-(?:ant-[\w-]{16,}|(?:proj-)?[A-Za-z0-9]{32,}))/g },
  { kind: 'GitHub token', pattern: /(\b)(gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,})/g },
  { kind: 'Slack token', pattern: /(\b)(x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,})/g },
  { kind: 'Slack webhook', pattern: /(\bhooks\.slack\.com\/(?:services|workflows)\/)([\w/-]+)/g },
  {
    kind: 'password in a URL',
    hint: /@/,
    pattern: /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#'"]{0,100}:)(?!\[redacted\]@)([^\s/?#'"<>]+)(?=@)/gi,
  },
  {
    kind: 'password in a Go MySQL address',
    hint: /@(?:tcp|unix)\(/,
    pattern: /(\b[\w.-]{1,64}:)(?!\[redacted\]@)([^\s@'"]+)(?=@(?:tcp|unix)\()/g,
  },
  {
    kind: 'named secret',
    pattern: new RegExp(`((?:${NAMES})${ASSIGNED})${NO_SECRET}(${QUOTED}|${BARE})`, 'gi'),
  },
  {
    kind: 'named token that is long enough to be one',
    pattern: new RegExp(`(\\btoken${ASSIGNED})((?=[\\w.~+/=-]{0,200}\\d)[\\w.~+/=-]{20,})`, 'gi'),
  },
  {
    kind: 'secret option',
    pattern: new RegExp(
      String.raw`(--(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|secret|token|api-key)\s{1,8})(?![-<\[])(${WORD})`,
      'gi',
    ),
  },
  {
    kind: '-pSECRET of the MySQL family',
    hint: /(?:mysql|mariadb|mycli)/,
    pattern: new RegExp(
      String.raw`((?:^|[\s/'"(])(?:mysql\w{0,12}|mariadb[\w-]{0,12}|mycli)\s(?:[^\n|;&]{0,400}?\s)?-p)(?!\[redacted\])(${WORD})`,
      'gm',
    ),
  },
  {
    kind: 'password of curl -u and etcdctl --user',
    hint: /curl|etcdctl/,
    pattern:
      /((?:^|[\s/'"(])(?:curl|etcdctl)\s(?:[^\n|;&]{0,400}?\s)?(?:-[A-Za-z]{0,6}u ?|--user[ =])["']?[^\s:'"/]{1,100}:)(?!\[redacted\]|\/\/)([^\s'"|;&]+)/gm,
  },
  {
    kind: 'password of redis-cli and sshpass',
    hint: /redis-cli|sshpass/,
    pattern: new RegExp(
      String.raw`((?:^|[\s/'"(])(?:redis-cli\s(?:[^\n|;&]{0,400}?\s)?-a\s{1,8}|sshpass\s{1,8}-p\s{0,8}))(?!\[redacted\])(${WORD})`,
      'gm',
    ),
  },
];
