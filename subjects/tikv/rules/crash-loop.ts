import type { Target } from '../../../src/domain/ids.js';
import type { Assessment, Facts, Suspect } from '../../protocol.js';
import { ageWords, witnessWords } from '../picture/words.js';
import type { TikvPicture, Witness } from '../picture.js';
import { inspectNode, readLog } from '../services.js';
import { type Told, toldByHost } from './answers.js';
import { open, refuted, supported } from './assessment.js';

type TikvFacts = Facts<TikvPicture>;

/** A process that lives no longer than this did not get to serve: what ended it is there at the next start, too. */
const SOON_MS = 10_000;
/** Ends that a process brings on itself; SIGKILL and SIGTERM come from somebody else. */
const OWN_SIGNALS = ['SIGABRT', 'SIGBUS', 'SIGILL', 'SIGSEGV'];

/**
 * In words, when a process was started at least twice and ended by itself soon after the last start; `null` otherwise. One
 * end says nothing: it may have been hit.
 */
export function crashWords({ state, stoppedByRequest, starts, startedAt, finishedAt, signal }: Witness): string | null {
  if (state !== 'exited' || stoppedByRequest || finishedAt === null || starts < 2) return null;
  const livedMs = Date.parse(finishedAt) - Date.parse(startedAt);
  const isOwn = signal === null || OWN_SIGNALS.includes(signal);
  return isOwn && livedMs <= SOON_MS ? `started ${starts} times, died again ${ageWords(livedMs)} after the last` : null;
}

/** The last line of its log that is an error, with what it says. */
export function lastWords(facts: TikvFacts, node: Target): Told<string> {
  const answer = facts.answer(readLog(node));
  if (answer?.evidence.exit !== 0) return { value: null, id: null, why: 'there is no log' };
  const line = answer.body.split('\n').findLast((text) => /\[(FATAL|ERROR)\]/.test(text));
  const said = line === undefined ? undefined : (MESSAGE.exec(line)?.[1] ?? line);
  return said === undefined
    ? { value: null, id: answer.evidence.id, why: 'its log tells no error' }
    : { value: said.slice(0, MOST_SAID), id: answer.evidence.id, why: '' };
}

/** `[time] [LEVEL] [source] ["message"] ...`; PD and TiKV leave the quotes of a single word out. */
const MESSAGE = /\[(?:FATAL|ERROR)\] \[[^\]]*\] \[("(?:[^"\\]|\\.)*"|[^\]]*)\]/;

const MOST_SAID = 200;

/** Started again it would only die again: a person has to change what ends it. */
export function crashLoop(node: Target): Suspect<TikvPicture> {
  return {
    cause: { class: 'crash-loop', target: node },
    claim: `the process of ${node} ends by itself soon after each start`,
    looks: [inspectNode(node), readLog(node)],
    assess: (facts) => assessLoop(facts, node),
  };
}

function assessLoop(facts: TikvFacts, node: Target): Assessment {
  const host = toldByHost(facts, node);
  if (!host.value) return open(0.2, host.why);
  const words = `the host shows ${node} ${witnessWords(host.value)}`;
  const crash = crashWords(host.value);
  if (crash === null) return refuted(`${words}, started ${timesWords(host.value.starts)}`, { against: [host.id] });
  const log = lastWords(facts, node);
  const said = log.value === null ? log.why : `its log: ${log.value}`;
  return supported(0.95, `${words}, ${crash}; ${said}`, { for: [host.id, log.id] });
}

const timesWords = (times: number): string => (times === 1 ? 'once' : `${times} times`);
