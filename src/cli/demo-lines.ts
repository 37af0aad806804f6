import { join } from 'node:path';
import { ticketWorkflowId } from '../domain/ids.js';
import { counted, seconds } from '../domain/story.js';
import type { Running } from '../runtime/bring-up.js';
import { type DemoSummary, isWin } from './demo-summary.js';
import { printParagraph } from './paragraph.js';
import type { Screen } from './screen.js';
import { typedCommand } from './typed-command.js';
import { VERSION } from './version.js';
import { wrap } from './wrap.js';

/** Prints one line of a verb's own, between those of the story. */
export type Say = (tag: string, text: string, right?: string) => void;

/** Lines in the form of the story, dated now. */
export const sayOn =
  (screen: Screen): Say =>
  (tag, text, right) =>
    printParagraph(screen, { tag, lines: [text], at: new Date().toISOString(), right });

export interface Heading {
  readonly home: string;
  readonly profile: string;
  /** With the reason for it, if there is one. */
  readonly reasoner: string;
}

/** `medic 0.1.0 · instance .medic · profile fast · reasoner rules (no ANTHROPIC_API_KEY)` */
export function sayHeading({ home, profile, reasoner }: Heading, screen: Screen): void {
  const text = `${VERSION} · instance ${home} · profile ${profile} · reasoner ${reasoner}`;
  if (!screen.isTty) return sayOn(screen)('medic', text);
  for (const line of wrap(`medic ${text}`, { first: screen.columns })) screen.out(screen.paint.bold(line));
}

export interface DemoEnd {
  readonly summary: DemoSummary;
  /** What a person needs to take over; `null` unless the ticket was escalated. */
  readonly brief: string | null;
  readonly running: Pick<Running, 'home' | 'uiUrl' | 'metricsUrl'>;
  /** As it was typed. */
  readonly home: string;
}

/** The verdict, the numbers, and where to go on. Links into what ends with the demo are shown only where it stays up. */
export function sayEnd({ summary, brief, running, home }: DemoEnd, screen: Screen): void {
  const say = sayOn(screen);
  if (brief) for (const line of brief.split('\n')) say('', line);
  const { ticket } = summary;
  say(ticket ?? 'end', verdict(summary, screen));
  if (ticket && summary.phase !== 'awaiting-approval')
    say('report', join(running.home, 'tickets', `${ticket.replace('/', '-')}.md`));
  if (ticket) say('read', typedCommand(`trail ${ticket}`, home));
  if (!screen.isTty) return;
  if (ticket) {
    const workflow = encodeURIComponent(ticketWorkflowId(ticket));
    say('workflow', `${running.uiUrl}/namespaces/default/workflows/${workflow}`);
  }
  say('metrics', running.metricsUrl);
  say('next', typedCommand(`chaos inject ${summary.fault}`, home));
  say('', 'Ctrl-C ends everything');
}

function verdict(summary: DemoSummary, { paint }: Screen): string {
  const { ticket, phase, detectMs, repairMs, provenMs, looks, acts, proof, faultTruth } = summary;
  const took = (ms: number | null) => (ms === null ? 'never' : seconds(ms));
  if (!ticket) return `${isWin(summary) ? paint.green('no ticket') : paint.red('no ticket')} · fault ${faultTruth}`;
  return [
    (isWin(summary) ? paint.green : paint.red)(phase),
    `detected ${took(detectMs)} · repaired ${took(repairMs)} · proven ${took(provenMs)}`,
    `${counted(looks, 'look')} · ${counted(acts, 'act')} · proof ${proof} · fault ${faultTruth}`,
  ].join(' · ');
}
