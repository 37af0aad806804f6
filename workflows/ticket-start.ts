import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { Filing } from '../src/domain/ticket.js';

/** Search attributes of DESIGN 5; registered before any worker starts. */
export const ATTRIBUTES = {
  phase: defineSearchAttributeKey('MedicPhase', SearchAttributeType.KEYWORD),
  subject: defineSearchAttributeKey('MedicSubject', SearchAttributeType.KEYWORD),
  severity: defineSearchAttributeKey('MedicSeverity', SearchAttributeType.KEYWORD),
  cause: defineSearchAttributeKey('MedicCause', SearchAttributeType.KEYWORD),
  target: defineSearchAttributeKey('MedicTarget', SearchAttributeType.KEYWORD),
};

/** What the Temporal UI shows of a ticket before its first line of code has run. */
export function ticketStart(filing: Filing) {
  const first = filing.violations[0];
  const target = filing.violations.find((v) => v.target !== null)?.target;
  return {
    staticSummary: `${filing.id}: ${first?.message ?? 'no violation'}`,
    staticDetails: [
      `Filed ${filing.at} for **${target ?? filing.subject}**.`,
      ...filing.violations.map((v) => `- ${v.invariant} (${v.severity}): ${v.message}`),
      ...(filing.recurrenceOf ? [`A recurrence of ${filing.recurrenceOf}.`] : []),
    ].join('\n'),
    typedSearchAttributes: [
      { key: ATTRIBUTES.phase, value: 'filed' },
      { key: ATTRIBUTES.subject, value: filing.subject },
      { key: ATTRIBUTES.severity, value: first?.severity ?? 'info' },
      ...(target ? [{ key: ATTRIBUTES.target, value: target }] : []),
    ],
  };
}
