import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorsPage } from '../../scripts/docs-errors.mjs';
import { ERRORS } from '../../src/domain/errors.js';

describe('the page of errors', () => {
  it('is what the registry says: after a change run `npm run build && node scripts/docs-errors.mjs`', () => {
    expect(readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsPage(ERRORS));
  });

  it('has a row for each code, by area, with bars kept out of the table', () => {
    const page = errorsPage({
      MEDIC_PORT_TAKEN: { what: 'In use.', next: 'Free it.' },
      MEDIC_LAB_A: { what: 'a | b', next: 'c' },
      MEDIC_LAB_B: { what: 'd', next: 'e' },
    });
    expect(page.slice(page.indexOf('## '))).toBe(
      '## port\n\n| Code | What it means | What to do |\n|---|---|---|\n| `MEDIC_PORT_TAKEN` | In use. | Free it. |\n\n' +
        '## lab\n\n| Code | What it means | What to do |\n|---|---|---|\n| `MEDIC_LAB_A` | a \\| b | c |\n| `MEDIC_LAB_B` | d | e |\n',
    );
  });
});
