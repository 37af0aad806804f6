import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import { type Diagnosis, diagnosesOf, diagnosisRows } from './recorded-diagnoses.js';
import { readRecording, SCENARIOS } from './recorded-pictures.js';
import { filedIn, shownIn } from './recorded-ticket.js';

const PAGE = new URL('../../../docs/diagnosis.md', import.meta.url);
const TABLE = /(<!-- recorded: begin -->\n(?:.*\n){2})((?:\|.*\n)*)(?=<!-- recorded: end -->)/;

const words = ({ named, story, verdict }: Diagnosis) =>
  `${verdict}: ${named.join(', ')} (${JSON.stringify(story.last.nextStep)})`;

describe('every recorded fault', () => {
  it.each(SCENARIOS)('%s: each ticket ends in the right cause or says what cannot be told apart', async (scenario) => {
    const diagnoses = await diagnosesOf(scenario);
    expect(diagnoses.filter(({ verdict }) => verdict !== 'right' && verdict !== 'honest').map(words)).toEqual([]);
  });

  it.each(['latency_100ms', 'latency_350ms', 'leader_schedule_limit_0'] as const)(
    '%s: an honest end names what would decide',
    async (scenario) => {
      const [diagnosis] = await diagnosesOf(scenario);
      expect(diagnosis!.verdict).toBe('honest');
      expect(diagnosis!.story.last.nextStep).toMatchObject({
        kind: 'escalate',
        why: expect.stringMatching(/\. What would decide: (on the host: nr_throttled|PD's `GET )/),
      });
    },
  );

  it.each(['baseline', 'graceful_restart', 'store_join'] as const)('%s: opens nothing at all', (scenario) => {
    const { moments } = readRecording(scenario);
    expect(filedIn(moments)).toEqual([]);
    expect(shownIn(moments)).toEqual([]);
  });
});

describe('docs/diagnosis.md', () => {
  /** `UPDATE_DOCS=1` writes the table anew. */
  it('says of each recording what the rules conclude today', async () => {
    const rows = `${(await diagnosisRows()).join('\n')}\n`;
    const page = readFileSync(PAGE, 'utf8');
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(TABLE, `$1${rows}`));
    expect(TABLE.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(rows);
  });

  it('explains each cause of the closed list', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(CAUSES.map((cause) => cause.class).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
