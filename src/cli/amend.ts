import { MESSAGES, type TicketStatus } from '../../workflows/contract.js';
import { parsePlan, planText, type WrittenPlan } from '../config/plan.js';
import { readConfigText } from '../config/yaml-file.js';
import { type Amended, type Amendment, faultOfAmendment } from '../domain/amendment.js';
import { ERRORS, type ErrorCode, MedicError } from '../domain/errors.js';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';
import type { Ruling } from '../domain/proposal.js';
import { tellRuling } from '../domain/story.js';
import { terminalDialogue } from './dialogue.js';
import { editText } from './editor.js';
import { EXIT } from './exit-codes.js';
import { asMedicError, decide, pendingOf, type Seen } from './messages.js';
import type { Screen } from './screen.js';
import { type LiveSession, withLiveSession } from './session.js';
import { speaker } from './speaker.js';

export interface AmendOptions {
  readonly home: string;
  readonly by?: string;
  readonly reason: string;
  /** YAML or JSON; without one the editor opens with the present plan. */
  readonly file?: string;
  /** Approve the amended plan at once, if a person has to. */
  readonly approve?: boolean;
  /** The plan that was on the card; absent: the present one. */
  readonly seen?: Seen;
}

type Pending = NonNullable<TicketStatus['pending']>;

/**
 * `medic amend T`: answers the pending proposal with other steps, which the kernel judges from scratch. What it refuses
 * comes back as its error, and the plan as it was waits again.
 */
export const amend = (text: string, options: AmendOptions, screen: Screen): Promise<number> =>
  withLiveSession(options.home, async (session) => {
    const id = await session.book.resolve(text);
    const pending = await pendingOf(session, id, options.seen);
    const plan = await planFrom(pending, options, screen);
    if (!plan) {
      screen.err('the plan is as it was, so nothing was sent');
      return EXIT.pending;
    }
    const amended = await send(session, id, toAmendment(pending, plan, options));
    if (amended.kind === 'overtaken') throw new MedicError('MEDIC_AMEND_OVERTAKEN', `${id} is ${amended.phase}`);
    const { number, ruling } = amended;
    if (amended.kind === 'refused')
      throw refusal(ruling, `#${number} ${tellRuling(ruling)}; #${pending.proposal.number} waits again`);
    screen.out(`${id} #${number} ${tellRuling(ruling)}`);
    if (ruling.kind !== 'needs-approval') return EXIT.ok;
    if (options.approve)
      return decide(
        'approve',
        id,
        { ...options, seen: { proposal: { id: amended.proposal }, basisHash: amended.basisHash } },
        screen,
      );
    screen.err(`#${number} waits for an approval: ./medic decide ${id}`);
    return EXIT.ok;
  });

/** `null`: the editor left it as it was. */
async function planFrom({ proposal }: Pending, { file }: AmendOptions, screen: Screen): Promise<WrittenPlan | null> {
  if (file !== undefined) return parsePlan({ path: file, text: (await readConfigText(file)).text });
  if (!terminalDialogue(screen)) throw new MedicError('MEDIC_USAGE', 'amend needs --file where no editor can be shown');
  return editPlan(proposal, (text) => editText({ name: `plan-${proposal.number}.yaml`, text, env: process.env }));
}

/**
 * The plan as an editor leaves it. One that cannot be read is offered again with what is wrong above it, so that nothing that
 * was typed is lost. `null`: it was left as it was.
 *
 * @throws MedicError `MEDIC_CONFIG_*` when a plan with a mistake is left as it was
 */
export async function editPlan(
  proposal: Pick<Pending['proposal'], 'number' | 'title' | 'steps'>,
  edit: (text: string) => Promise<string>,
): Promise<WrittenPlan | null> {
  let offered = planText(proposal);
  let mistake: MedicError | null = null;
  for (;;) {
    const text = await edit(offered);
    if (text === offered && !mistake) return null;
    if (text === offered && mistake) throw mistake;
    const plain = text.replaceAll(/^#!.*\n/gm, '');
    try {
      return parsePlan({ path: `#${proposal.number}`, text: plain });
    } catch (error) {
      if (!(error instanceof MedicError)) throw error;
      mistake = error;
      offered = `${error.message.replaceAll(/^/gm, '#! ')}\n${plain}`;
    }
  }
}

function toAmendment({ proposal, basisHash }: Pending, plan: WrittenPlan, { by, reason }: AmendOptions): Amendment {
  const amendment = { proposal: proposal.id, basisHash, by: speaker(by), note: reason, ...plan };
  const fault = faultOfAmendment(amendment);
  if (fault) throw new MedicError(fault.code, fault.message);
  return amendment;
}

const send = ({ client }: LiveSession, id: TicketId, amendment: Amendment): Promise<Amended> =>
  client.workflow
    .getHandle(ticketWorkflowId(id))
    .executeUpdate<Amended, [Amendment]>(MESSAGES.amend, { args: [amendment] })
    .catch((error: unknown) => Promise.reject(asMedicError(error)));

/** With the code of the ruling, which ends the verb with "denied by policy". */
const refusal = ({ code }: Ruling, message: string): MedicError =>
  new MedicError(code !== undefined && code in ERRORS ? (code as ErrorCode) : 'MEDIC_POLICY_FORBIDDEN', message);
