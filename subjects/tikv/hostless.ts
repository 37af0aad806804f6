import type { Call } from '../../src/domain/query.js';
import type { DiagnosisRule, Invariant, Subject, Suspect } from '../protocol.js';
import type { TikvPicture } from './picture.js';
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
  assess: (facts) => suspect.assess({ ...facts, answer: (call) => facts.answer(onNobody(call)) }),
});

/** `labctl` is a tool of the lab: its verb alone says what would be asked. */
const onNobody = (call: Call): Call =>
  call.kind === 'shell' && call.host === HOST
    ? { ...call, host: NOBODY, command: call.command.replace(/^labctl /, '') }
    : call;
