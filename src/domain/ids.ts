declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `tikv/42`: subject and number, as people type it. Its workflow is `ticket/tikv/42`. */
export type TicketId = Branded<'TicketId'>;
/** `e12`: one observation of one ticket, allotted by the workflow. */
export type EvidenceId = Branded<'EvidenceId'>;
/** `H1`: one hypothesis of one ticket. */
export type HypothesisId = Branded<'HypothesisId'>;
/** A uuid; people see the proposal's number (`#2`). Never reused across a reset. */
export type ProposalId = Branded<'ProposalId'>;
/** Name of a member of the subject, of a part of it, or of the whole: `tikv-2`, `pd-0`, `region-14`, `pd`, `cluster`. */
export type Target = string;
/** RFC 3339 with milliseconds, UTC. Sorts as text. */
export type Instant = string;

export const ticketId = (subject: string, number: number): TicketId => `${subject}/${number}` as TicketId;
export const evidenceId = (number: number): EvidenceId => `e${number}` as EvidenceId;
export const hypothesisId = (number: number): HypothesisId => `H${number}` as HypothesisId;
export const proposalId = (uuid: string): ProposalId => uuid as ProposalId;

/** Milliseconds of the epoch to an `Instant`. */
export const instant = (epochMs: number): Instant => new Date(epochMs).toISOString();
/** Milliseconds from `from` to `to`; negative when `to` is earlier. */
export const between = (from: Instant, to: Instant): number => Date.parse(to) - Date.parse(from);

/** `tikv` of `tikv/42`. */
export const subjectOf = (ticket: TicketId): string => ticket.slice(0, ticket.lastIndexOf('/'));

/** The workflow id of a ticket (DESIGN 5). */
export const ticketWorkflowId = (ticket: TicketId): string => `ticket/${ticket}`;

/** Splits `tikv/42`; `null` when it is not of that form. */
export function parseTicketId(text: string): { subject: string; number: number } | null {
  const match = /^([a-z][a-z0-9-]*)\/([1-9][0-9]*)$/.exec(text);
  return match?.[1] && match[2] ? { subject: match[1], number: Number(match[2]) } : null;
}
