import { NOT_AVAILABLE } from '../../src/domain/evidence.js';
import type { Call } from '../../src/domain/query.js';
import type { Assessment, DiagnosisRule, Facts, Invariant, Subject, Suspect } from '../protocol.js';
import type { CauseName } from './causes.js';
import { reachOf } from './picture/look-up.js';
import type { TikvPicture } from './picture.js';
import { toldByPort } from './rules/answers.js';
import { refuted } from './rules/assessment.js';
import { HOST } from './services.js';

/** The name under which looks at hosts are shown where no host can be asked. */
const NOBODY = 'hosts';

/** Judged by our own writes and reads, which a cluster that is not ours gets none of. */
const BY_PROBE: readonly string[] = ['probe-ok', 'probe-fast'];

/**
 * A cluster of which only PD and some ports can be asked. Looks at its hosts stay on the board, so that everybody sees what
 * would have decided, and are answered with what is missing.
 */
export const hostless = (subject: Subject<TikvPicture>, name: string): Subject<TikvPicture> => ({
  ...subject,
  name,
  invariants: subject.invariants.map(withoutProbe),
  rules: subject.rules.map(withoutHosts),
  promptContext: `${subject.promptContext}\n${CONTEXT}`,
});

const CONTEXT = `- No host of this cluster can be asked, and its keys are neither written nor read. What a process does is known from
  PD and from open ports alone: a refused port is a sign, not a proof. Say what a person has to look at on the host.`;

const withoutProbe = (invariant: Invariant<TikvPicture>): Invariant<TikvPicture> =>
  BY_PROBE.includes(invariant.name) ? { ...invariant, use: 'evidence' } : invariant;

const withoutHosts = (rule: DiagnosisRule<TikvPicture>): DiagnosisRule<TikvPicture> => ({
  ...rule,
  suspects: (target, picture) => rule.suspects(target, picture).map(renamed),
});

/** What it asks for is asked under the other name, and what was answered is told it under its own. */
const renamed = (suspect: Suspect<TikvPicture>): Suspect<TikvPicture> => ({
  ...suspect,
  looks: suspect.looks.map(onNobody),
  assess: (facts) => {
    const told = { ...facts, answer: (call: Call) => facts.answer(onNobody(call)) };
    return fromOutside(suspect, suspect.assess(told), told);
  },
});

/** What can only be so while a process of the node listens on its ports. */
const LISTENS: readonly CauseName[] = [
  'process-frozen',
  'link-loss',
  'link-slow',
  'peer-link-loss',
  'cpu-starved',
  'disk-slow',
  'grpc-paused',
];

/** Where the host would have decided: what the port alone decides, and else who has to be asked. */
function fromOutside(
  { cause: { class: name, target } }: Suspect<TikvPicture>,
  assessed: Assessment,
  facts: Facts<TikvPicture>,
): Assessment {
  if (assessed.status !== 'open' || !assessed.because.includes(NOT_AVAILABLE)) return assessed;
  const port = toldByPort(facts, target);
  // A port that was never open to us may be bound to loopback: that it refuses us then says nothing.
  const isOpenToUs = reachOf(facts.picture, target).known;
  if (port.value?.kind === 'refused' && isOpenToUs && LISTENS.some((one) => one === name))
    return refuted(`${target} refuses connections, so no process of it listens`, { against: [port.id] });
  return {
    ...assessed,
    because: 'only its host can tell',
    decidedBy: `a look at the host of ${target}, at its process and its log`,
  };
}

/** `labctl` is a tool of the lab: its verb alone says what would be asked. */
const onNobody = (call: Call): Call =>
  call.kind === 'shell' && call.host === HOST
    ? { ...call, host: NOBODY, command: call.command.replace(/^labctl /, '') }
    : call;
