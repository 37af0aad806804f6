import { escapeControls } from '../../evidence/plain-text.js';

/**
 * Quotes what a machine, a log or its writers said, so that it can be told from Medic's own words: controls are shown
 * as escapes, and nothing inside can close the quotation.
 */
export const untrusted = (text: string, of: string): string =>
  `<untrusted of="${of}">\n${harmless(text)}\n</untrusted>`;

/** The same for one line in running text. */
export const untrustedLine = (text: string): string => `<untrusted>${harmless(text).replace(/\s+/g, ' ')}</untrusted>`;

const harmless = (text: string): string => escapeControls(text).replace(/<(?=\/?untrusted)/gi, '‹');
