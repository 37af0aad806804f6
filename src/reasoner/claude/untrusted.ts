import { escapeControls } from '../../evidence/plain-text.js';

/**
 * Quotes what a machine, a log or its writers said, so that it can be told from Medic's own words: controls are shown
 * as escapes, and nothing inside can close the quotation.
 */
export const untrusted = (text: string, of: string): string =>
  `<untrusted of="${of}">\n${escapeControls(text).replace(/<(?=\/?untrusted)/gi, '‹')}\n</untrusted>`;

/** The same for one line in running text. */
export const untrustedLine = (text: string): string =>
  `<untrusted>${escapeControls(text)
    .replace(/\s+/g, ' ')
    .replace(/<(?=\/?untrusted)/gi, '‹')}</untrusted>`;
