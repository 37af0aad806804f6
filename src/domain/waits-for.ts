import type { Ticket } from './ticket.js';

/** Who or what goes on with it: `a person`, `the reasoner`; `-` for a closed one. */
export function waitsFor({ phase, pending, taken }: Ticket): string {
  switch (phase) {
    case 'awaiting-approval':
      return `you, until ${pending?.expiresAt ?? 'answered'}`;
    case 'escalated':
      return taken ? `${taken.by}, who took it` : 'a person';
    case 'verifying':
      return 'the proof';
    case 'remediating':
    case 'undoing':
      return 'a command';
    case 'filed':
    case 'investigating':
    case 'proposing':
      return 'the reasoner';
    case 'resolved':
    case 'no-fault':
    case 'self-cleared':
    case 'aborted':
    case 'closed-by-person':
    case 'duplicate':
      return '-';
  }
}
