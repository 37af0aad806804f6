import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import type { Digest } from '../../domain/digest.js';
import { ModelFailure } from '../model-failure.js';
import { DETAILS, digestText } from './digest-text.js';
import type { Transcript, TranscriptTurn } from './transcript.js';

export interface Context {
  /** The conversation of the turns that are kept. */
  readonly before: readonly MessageParam[];
  /** The message that opens this turn. */
  readonly opening: MessageParam;
  /** What was summarised, in words; `null`: nothing. */
  readonly note: string | null;
}

export interface ContextBounds {
  readonly contextTokens: number;
  /** Bytes of tools and system text, which come first in every request. */
  readonly prefixBytes: number;
  /** Room for what the model reads and says within the turn. */
  readonly reserveTokens: number;
}

/**
 * English and JSON come to three or four bytes a token. This is an estimate for the size of the context only; money is
 * reserved by a true upper bound.
 */
const BYTES_PER_TOKEN = 3;

/**
 * The conversation so far and this turn's digest, within the limit. What does not fit is summarised in this order:
 * the oldest turns (the board and the list of evidence tell what came of them), the excerpts, the uncited evidence.
 * Hypotheses are never dropped. Throws a final `ModelFailure` when not even the barest telling fits.
 */
export function contextOf(digest: Digest, transcript: Transcript, bounds: ContextBounds): Context {
  const room = (bounds.contextTokens - bounds.reserveTokens) * BYTES_PER_TOKEN - bounds.prefixBytes;
  for (const detail of DETAILS) {
    const text = digestText(digest, { detail, seenUpTo: transcript.seenUpTo });
    const kept = newestThatFit(transcript.turns, room - bytesOf(text));
    if (kept === null) continue;
    const dropped = transcript.turns.slice(0, transcript.turns.length - kept.length);
    const note = noteOf(dropped, detail);
    return { before: messagesOf(kept, dropped), opening: opening({ transcript, kept, dropped, text }), note };
  }
  throw new ModelFailure(
    'final',
    `the board and the cited evidence alone do not fit into the context of ${bounds.contextTokens} tokens (agents/models.yaml, contextTokens)`,
  );
}

/** The newest turns within the room; `null` when the room is spent already. */
function newestThatFit(turns: readonly TranscriptTurn[], room: number): readonly TranscriptTurn[] | null {
  if (room < 0) return null;
  let left = room;
  const firstKept = turns.findLastIndex((turn) => {
    left -= bytesOf(JSON.stringify(turn.messages));
    return left < 0;
  });
  return turns.slice(firstKept + 1);
}

/** A result whose call was left out would be refused by the API. */
function messagesOf(kept: readonly TranscriptTurn[], dropped: readonly TranscriptTurn[]): readonly MessageParam[] {
  const messages = kept.flatMap((turn) => turn.messages);
  const [first, ...rest] = messages;
  return first && dropped.length > 0 ? [withoutResults(first), ...rest] : messages;
}

function withoutResults(message: MessageParam): MessageParam {
  if (typeof message.content === 'string' || message.role !== 'user') return message;
  return { role: 'user', content: message.content.filter(({ type }) => type !== 'tool_result') };
}

function opening({
  transcript,
  kept,
  dropped,
  text,
}: {
  readonly transcript: Transcript;
  readonly kept: readonly TranscriptTurn[];
  readonly dropped: readonly TranscriptTurn[];
  readonly text: string;
}): MessageParam {
  const results = kept.length === 0 ? [] : transcript.open.map(taken);
  const summary = dropped.length === 0 ? '' : `EARLIER TURNS, left out here: ${dropped.map(tellTurn).join(', ')}.\n\n`;
  return { role: 'user', content: [...results, { type: 'text', text: `${summary}${text}` }] };
}

const taken = (id: string): ContentBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'Taken. What came of it stands below.',
});

const tellTurn = ({ turn, ended }: TranscriptTurn): string => `${turn} (${ended})`;

function noteOf(dropped: readonly TranscriptTurn[], detail: (typeof DETAILS)[number]): string | null {
  const parts = [
    ...(dropped.length > 0 ? [`turns ${dropped[0]?.turn} to ${dropped.at(-1)?.turn} of the conversation`] : []),
    ...(detail === 'excerpts' ? [] : ['excerpts of the evidence']),
    ...(detail === 'cited' ? ['evidence that nothing cites'] : []),
  ];
  return parts.length === 0 ? null : `the context is full: summarised ${parts.join(', ')}`;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
