import type { Argv, Word } from '../row.js';
import { programOf } from '../shell/carriers.js';
import { isLiteral, literal } from '../shell/words.js';
import { fixedPart, isWithin, normalise } from './paths.js';

/** What belongs to Medic and to the Temporal server it runs on; whoever starts them knows it. */
export interface SelfScope {
  /** Absolute: the home folder with journal, evidence and credentials, policies/, agents/, playbooks/, the chaos journal. */
  readonly paths: readonly string[];
  /** `host:port` of Temporal, of its UI, of Medic's own ports. */
  readonly endpoints: readonly string[];
  /** Names of their programs: `medic`, `temporal`, `labd`. */
  readonly programs: readonly string[];
  readonly pids: readonly number[];
}

/**
 * `named`: what the words name. `below`: also everything below a folder they name, for programs that descend into it or
 * whose doings are not known (`rm -rf /home`).
 */
export type Depth = 'named' | 'below';

/**
 * What of Medic itself an argv would touch, in words; `null` when nothing is seen. It looks at every word of every
 * program, so it also finds a path within an argument (`python3 -c "open('/home/m/.medic/journal')"`).
 */
export function touchesSelf(argv: Argv, scope: SelfScope, depth: Depth): string | null {
  const program = programOf(argv.words);
  if (scope.programs.includes(program)) return `\`${program}\` is Medic's own program`;
  const words = [...argv.words, ...argv.writes.map(literal), ...argv.reads.map(literal)];
  return touchedPath(words, scope, depth) ?? touchedEndpoint(words, scope) ?? touchedProcess(argv, scope);
}

/** A call of our own client to one of our own ports; its endpoint comes from the inventory. */
export const isOwnEndpoint = (endpoint: string, { endpoints }: SelfScope): boolean =>
  endpoints.some((own) => sameEndpoint(own, endpoint));

function touchedPath(words: readonly Word[], scope: SelfScope, depth: Depth): string | null {
  const paths = [...scope.paths.map(normalise), ...scope.pids.map((pid) => `/proc/${pid}`)];
  const touched = paths.find((path) => words.some((word) => mentions(word, path, depth)));
  return touched ? `it touches ${touched}, which belongs to Medic` : null;
}

function mentions(word: Word, path: string, depth: Depth): boolean {
  const text = word.text;
  if (text.startsWith('/') && overlaps(word, path, depth)) return true;
  if (contains(normaliseWithin(text), path)) return true;
  return isRelative(text) && endsLike(path, normalise(text));
}

/** An expansion may name whatever lies in its folder. */
function overlaps(word: Word, path: string, depth: Depth): boolean {
  const fixed = fixedPart(word);
  return isWithin(fixed, path) || ((depth === 'below' || !isLiteral(word)) && isWithin(path, fixed));
}

/** `--file=/home//m/./.medic` holds a path as well. */
const normaliseWithin = (text: string): string => text.replace(/\/(\.?\/)+/g, '/');

function contains(text: string, path: string): boolean {
  const at = text.indexOf(path);
  if (at < 0) return false;
  return !/[A-Za-z0-9_-]/.test(text.charAt(at + path.length));
}

const isRelative = (text: string): boolean => !text.startsWith('/') && (text.startsWith('.') || text.includes('/'));

/** `.medic/journal` may be `/home/m/.medic/journal`: the folder it is read from is not part of the command. */
function endsLike(path: string, relative: string): boolean {
  const segments = relative.split('/').filter((segment) => segment !== '..');
  return segments.some((_, end) => path.endsWith(`/${segments.slice(0, end + 1).join('/')}`));
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|0\.0\.0\.0|\[?::1\]?|\[?::\]?)$/;

function touchedEndpoint(words: readonly Word[], scope: SelfScope): string | null {
  const text = words.map((word) => word.text);
  const touched = scope.endpoints.find((own) => text.some((word) => reaches(word, own)) || reachesInTwo(text, own));
  return touched ? `it talks to ${touched}, which belongs to Medic` : null;
}

/** `http://localhost:7233/x`, `--address=127.0.0.1:7233`, `/dev/tcp/127.0.0.1/7233` */
function reaches(word: string, own: string): boolean {
  const found = word.matchAll(/([A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\])[:/](\d{2,5})(?![\w.])/g);
  return [...found].some(([, host, port]) => sameEndpoint(own, `${host}:${port}`));
}

/** `nc 127.0.0.1 7233` */
const reachesInTwo = (words: readonly string[], own: string): boolean =>
  words.some((word, at) => /^\d{2,5}$/.test(words[at + 1] ?? '') && sameEndpoint(own, `${word}:${words[at + 1]}`));

function sameEndpoint(a: string, b: string): boolean {
  const [hostA, portA] = splitEndpoint(a);
  const [hostB, portB] = splitEndpoint(b);
  return portA === portB && (hostA === hostB || (LOOPBACK.test(hostA) && LOOPBACK.test(hostB)));
}

function splitEndpoint(endpoint: string): [string, string] {
  const colon = endpoint.lastIndexOf(':');
  return [endpoint.slice(0, colon).toLowerCase(), endpoint.slice(colon + 1)];
}

/** `kill`'s own pids, groups as `-PID`, and everything as `-1`. */
function touchedProcess({ words }: Argv, { pids }: SelfScope): string | null {
  if (programOf(words) !== 'kill') return null;
  const targets = words.slice(1).filter((word, at) => at > 0 || !/^-/.test(word.text));
  if (targets.some((word) => word.text === '-1')) return 'it signals every process, and so Medic';
  const hit = targets.find((word) => pids.includes(Math.abs(Number(word.text))));
  return hit ? `process ${hit.text} is one of Medic's` : null;
}
