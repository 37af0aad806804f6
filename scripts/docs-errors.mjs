/** Writes docs/errors.md from the built error registry: `npm run build && node scripts/docs-errors.mjs`. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const INTRODUCTION = `# Errors

Each error that Medic shows begins with a code, then says what was found, where, and what to do next. Codes are stable:
scripts may rely on them. Exit codes are in [cli.md](cli.md).

This page is made from \`src/domain/errors.ts\` by \`scripts/docs-errors.mjs\`; change it there.
`;

/** The page as Markdown: one table for each area (`MEDIC_<AREA>_...`), in the order of the registry. */
export function errorsPage(errors) {
  const areas = new Map();
  for (const code of Object.keys(errors)) areas.set(areaOf(code), [...(areas.get(areaOf(code)) ?? []), code]);
  return [INTRODUCTION, ...[...areas].map(([area, codes]) => table(area, codes, errors))].join('\n');
}

const areaOf = (code) => code.split('_')[1].toLowerCase();

function table(area, codes, errors) {
  const rows = codes.map((code) => `| \`${code}\` | ${cell(errors[code].what)} | ${cell(errors[code].next)} |`);
  return [`## ${area}`, '', '| Code | What it means | What to do |', '|---|---|---|', ...rows, ''].join('\n');
}

const cell = (text) => text.replaceAll('|', '\\|');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(process.argv[1]), '..');
  const { ERRORS } = await import(join(root, 'dist', 'src', 'domain', 'errors.js'));
  writeFileSync(join(root, 'docs', 'errors.md'), errorsPage(ERRORS));
}
