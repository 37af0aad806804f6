import { MedicError } from '../domain/errors.js';
import { type CardView, printCard } from './decision-card.js';
import type { Dialogue } from './dialogue.js';
import { EXIT } from './exit-codes.js';
import type { Screen } from './screen.js';

/** What the keys of the card do. Answers are bound to the proposal and basis of the card that was seen. */
export interface CardActions {
  decide(answer: 'approve' | 'deny', reason: string, seen: CardView): Promise<number>;
  amend(reason: string, seen: CardView): Promise<number>;
  hint(text: string): Promise<number>;
  take(reason: string): Promise<number>;
  /** The card as it is now. */
  reread(): Promise<CardView>;
}

export interface Conversation {
  readonly view: CardView;
  readonly actions: CardActions;
  readonly dialogue: Dialogue;
  readonly screen: Screen;
}

const KEYS = '[a]pprove [d]eny a[m]end [h]int [t]ake [e]vidence N [q] later > ';

/**
 * Shows the card and does what is typed until something was answered. An answer to a plan that has changed meanwhile is not
 * sent: the card is shown again, with what changed.
 *
 * @returns the exit code: that of the answer, or `pending` when it is left for later
 */
export async function converse({ view, actions, dialogue, screen }: Conversation): Promise<number> {
  let seen = view;
  printCard(seen, screen);
  for (;;) {
    const typed = await dialogue.ask(KEYS);
    if (typed === null || typed === 'q') return leave(seen, screen);
    try {
      const code = await carryOut(typed, { view: seen, actions, dialogue, screen });
      if (code !== null) return code;
    } catch (error) {
      if (!isAboutThePlan(error)) throw error;
      screen.err(`${error.code}  ${error.message}`);
      seen = await actions.reread();
      printCard(seen, screen);
    }
  }
}

function leave({ status }: CardView, screen: Screen): number {
  screen.err(`${status.ticket} still waits for an answer; nothing runs`);
  return EXIT.pending;
}

/** The plan changed, or the kernel refused an amendment of it: there may be another card to answer. */
const isAboutThePlan = (error: unknown): error is MedicError =>
  error instanceof MedicError &&
  (error.code === 'MEDIC_DECIDE_STALE' ||
    error.code.startsWith('MEDIC_POLICY_') ||
    error.code.startsWith('MEDIC_CONFIG_'));

/** `null`: nothing was answered yet. */
async function carryOut(typed: string, { view, actions, dialogue, screen }: Conversation): Promise<number | null> {
  const ask = (what: string) => askWords(what, { dialogue, screen });
  const [key = '', argument = ''] = typed.split(/\s+/, 2);
  switch (key) {
    case 'a': {
      if (!(await isMeant(view, { dialogue, screen }))) return null;
      const reason = await ask('reason');
      return reason === null ? null : actions.decide('approve', reason, view);
    }
    case 'd': {
      const reason = await ask('reason, told to the reasoner');
      return reason === null ? null : actions.decide('deny', reason, view);
    }
    case 'm': {
      const reason = await ask('reason');
      return reason === null ? null : actions.amend(reason, view);
    }
    case 'h': {
      const text = await ask('hint, which withdraws the proposal');
      return text === null ? null : actions.hint(text);
    }
    case 't': {
      const reason = await ask('reason');
      return reason === null ? null : actions.take(reason);
    }
    case 'e':
      showEvidence(view, argument, screen);
      return null;
    default:
      screen.err('type one of the letters in brackets and Enter');
      return null;
  }
}

/** `null`: nothing was typed, so nothing is done. */
async function askWords(
  what: string,
  { dialogue, screen }: Pick<Conversation, 'dialogue' | 'screen'>,
): Promise<string | null> {
  const typed = await dialogue.ask(`${what}: `);
  if (typed) return typed;
  screen.err('nothing was typed, so nothing is done');
  return null;
}

/** What cannot be taken back is not approved by one letter. */
async function isMeant(
  { status }: CardView,
  { dialogue, screen }: Pick<Conversation, 'dialogue' | 'screen'>,
): Promise<boolean> {
  const { steps, number } = status.pending.proposal;
  if (steps.every(({ inverse }) => inverse.kind !== 'irreversible')) return true;
  const sentence = `approve #${number}`;
  const typed = await dialogue.ask(`it cannot be taken back; type \`${sentence}\` in full: `);
  if (typed === sentence) return true;
  screen.err('that was something else, so nothing is done');
  return false;
}

function showEvidence({ evidence }: CardView, wanted: string, screen: Screen): void {
  const id = /^\d+$/.test(wanted) ? `e${wanted}` : wanted;
  const found = evidence.find((each) => each.id === id);
  if (!found) return screen.err(`there is no evidence ${id}; there is ${evidence.map((each) => each.id).join(' ')}`);
  screen.out(`${found.id} at ${found.at}, ${found.bytes} bytes, sha256 ${found.sha256.slice(0, 12)}`);
  screen.out(found.failure ?? found.line);
  for (const part of [found.head, found.tail]) if (part.trim() !== '') screen.out(part.trimEnd());
}
