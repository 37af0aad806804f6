import type { Notification } from '../domain/notification.js';

/** Limits of Slack's blocks; what is longer is refused as a whole. */
const HEADER_CHARACTERS = 150;
const SECTION_CHARACTERS = 3_000;

/** The body for an incoming webhook of Slack: a heading, the text, and what to type next. */
export function slackBody({ title, text, next, severity, event }: Notification): string {
  return JSON.stringify({
    text: escaped(title),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, HEADER_CHARACTERS), emoji: false } },
      { type: 'section', text: { type: 'mrkdwn', text: cut(escaped(text), SECTION_CHARACTERS) } },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: `severity ${severity} · \`${escaped(next)}\` · event ${escaped(event)}` }],
      },
    ],
  });
}

/** What a log line or a model wrote becomes no mention of a channel and no link (Slack: these three characters only). */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Never in the middle of an escape. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters - 1).replace(/&[a-z]{0,3}$/, '')}…`;
}
