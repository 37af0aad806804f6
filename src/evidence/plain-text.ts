/** Characters that steer a terminal or reorder text: controls but newline and tab, line separators, direction marks. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Writes what could deceive a reader or steer a terminal as an escape: `\u001b`. Newlines and tabs stay. */
export const escapeControls = (text: string): string =>
  text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One line of at most `max` characters; what does not fit ends in `…`. */
export function oneLine(text: string, max: number): string {
  const characters = [
    ...escapeControls(
      text
        .slice(0, max * 4)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  ];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
}

/** First and last part of a text. `tail` is empty when all of it fits into `head`. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** Beginning and end of a text, together at most `maxBytes` of UTF-8, no character cut in two, controls escaped. */
export function ends(text: string, maxBytes: number): Ends {
  const whole = text.length <= maxBytes ? escapeControls(text) : null;
  if (whole !== null && Buffer.byteLength(whole) <= maxBytes) return { head: whole, tail: '' };
  const half = Math.floor(maxBytes / 2);
  const first = [...escapeControls(text.slice(0, maxBytes))];
  const last = [...escapeControls(text.slice(-maxBytes))].reverse();
  return { head: fitting(first, half).join(''), tail: fitting(last, half).reverse().join('') };
}

function fitting(characters: readonly string[], maxBytes: number): string[] {
  let bytes = 0;
  const end = characters.findIndex((character) => {
    bytes += Buffer.byteLength(character);
    return bytes > maxBytes;
  });
  return characters.slice(0, end === -1 ? undefined : end);
}
