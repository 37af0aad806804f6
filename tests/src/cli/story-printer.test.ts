import { describe, expect, it } from '@jest/globals';
import { createStoryPrinter } from '../../../src/cli/story-printer.js';
import type { TrailEvent } from '../../../src/domain/trail.js';
import { STORY } from '../../support/killed-store.js';
import { type Paper, paper } from './paper.js';

function printed(
  { screen, out }: Paper,
  { depth, events = STORY, start }: { depth: 'brief' | 'whole'; events?: readonly TrailEvent[]; start?: string },
): string[] {
  const printer = createStoryPrinter(screen, { depth, start });
  for (const event of events) printer.print(event);
  return out();
}

const proofOf = (lines: readonly string[]) => lines.slice(lines.findIndex((line) => line.startsWith('proof')));

describe('the printed story', () => {
  it('shows a proof on a terminal as one line of dots that grows, with the time of its end', () => {
    expect(proofOf(printed(paper({ columns: 80 }), { depth: 'brief' }))).toEqual([
      'proof     ○○○○○○ broken: store-up tikv-0, regions-no-pending-peer; the    t+16.0',
      '            cause is not gone',
      'proof     ●○○○○○ the witness shows tikv-0 running; PD calls tikv-0 Up     t+18.0',
      'proof     ●●●●●● healthy 6 of 6; cause gone (after 11.4 s)                t+25.0',
      'closed    resolved by medic                                               t+27.0',
    ]);
  });

  it('draws each dot when its sample is there, not at the end', () => {
    const one = paper({ columns: 80 });
    const lastGood = STORY.findLastIndex((event) => event.type === 'sampled');
    printed(one, { depth: 'brief', events: STORY.slice(0, lastGood) });
    expect(one.out().at(-1)).toBe('proof     ●●●●●');
    expect(one.screen.isLineOpen).toBe(true);
  });

  it('goes on with all dots on a new line when something else was printed in between', () => {
    const one = paper({ columns: 80 });
    const { screen, out } = one;
    const printer = createStoryPrinter(screen, { depth: 'brief' });
    const samples = STORY.filter((event) => event.type === 'sampled' || event.type === 'proof');
    for (const event of samples.slice(0, 5)) printer.print(event);
    screen.err('worker died');
    for (const event of samples.slice(5)) printer.print(event);
    expect(out().slice(-2)).toEqual([
      'proof     ●●●',
      'proof     ●●●●●● healthy 6 of 6; cause gone (after 11.4 s)                 t+9.0',
    ]);
  });

  it('says in a pipe when the first good sample came and how the proof ended, each with its ISO time', () => {
    const lines = printed(paper(), { depth: 'brief' });
    expect(lines.slice(-4)).toEqual([
      '2026-01-02T03:04:21.000Z proof     ○○○○○○ broken: store-up tikv-0, regions-no-pending-peer; the cause is not gone',
      '2026-01-02T03:04:23.000Z proof     ●○○○○○ the witness shows tikv-0 running; PD calls tikv-0 Up',
      '2026-01-02T03:04:30.000Z proof     ●●●●●● healthy 6 of 6; cause gone (after 11.4 s)',
      '2026-01-02T03:04:32.000Z closed    resolved by medic',
    ]);
    for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
  });

  it('says it again when a sample falls back', () => {
    const [first] = STORY.filter((event): event is TrailEvent & { type: 'sampled' } => event.type === 'sampled');
    const row = [0, 0, 1, 2, 0, 0, 1].map((inRow) => ({ ...first!, inRow }));
    const dots = printed(paper(), { depth: 'brief', events: row }).map((line) => /[●○]+/.exec(line)?.[0]);
    expect(dots).toEqual(['○○○○○○', '●○○○○○', '○○○○○○', '●○○○○○']);
  });

  it('tells a proof that failed with its reason, without dots', () => {
    const proof: TrailEvent = {
      ...{ seq: 1, at: '2026-01-02T03:04:05.000Z', type: 'proof' },
      ...{ result: 'unknown', reason: 'PD cannot be read', overMs: 60_000 },
    };
    expect(printed(paper({ columns: 80 }), { depth: 'brief', events: [proof] })).toEqual([
      'proof     unknown after 60.0 s: PD cannot be read                          t+0.0',
    ]);
  });

  it('leaves out what only confirms the good samples, but tells what clears before', () => {
    const has = (lines: readonly string[]) => lines.some((line) => line.includes('holds again'));
    const [cleared] = STORY.filter((event) => event.type === 'cleared');
    expect(has(printed(paper(), { depth: 'brief' }))).toBe(false);
    expect(has(printed(paper(), { depth: 'brief', events: [cleared!] }))).toBe(true);
  });

  it('is whole with every detail and every sample', () => {
    const lines = printed(paper(), { depth: 'whole' });
    expect(lines.filter((line) => / proof {5}[●○]/.test(line))).toHaveLength(8);
    for (const words of ['journal run-1.uuid.1.1', 'filed -> investigating', 'holds again', 'why: to tell apart'])
      expect(lines.some((line) => line.includes(words))).toBe(true);
  });

  it('counts times from the start it is given', () => {
    const [filed] = STORY;
    const start = '2026-01-02T03:04:01.900Z';
    const [line] = printed(paper({ columns: 100 }), { depth: 'brief', events: [filed!], start });
    expect(line).toMatch(/ t\+3\.1$/);
  });

  it('fits each line into the terminal', () => {
    for (const columns of [60, 80, 160])
      for (const line of printed(paper({ columns }), { depth: 'whole' }))
        expect(line.length).toBeLessThanOrEqual(columns);
  });
});
