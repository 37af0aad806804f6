import { describe, expect, it } from '@jest/globals';
import { follow } from '../../../src/cli/trail.js';
import { MedicError } from '../../../src/domain/errors.js';
import type { TrailEvent } from '../../../src/domain/trail.js';
import type { TicketBook } from '../../../src/runtime/ticket-book.js';
import { KILLED_STORE, STORY } from '../../support/killed-store.js';
import { paper } from './paper.js';

type Answer = readonly TrailEvent[] | Error;

/** A book whose trail answers with these, one after the other; nothing else of it is asked. */
function bookOf(answers: readonly Answer[]): { book: TicketBook; asked: number[] } {
  const asked: number[] = [];
  const unasked = () => Promise.reject(new Error('not asked'));
  const trail = async (_id: unknown, after = 0) => {
    const answer = answers[asked.push(after) - 1] ?? new Error('asked too often');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    asked,
    book: { resolve: unasked, list: unasked, status: unasked, board: unasked, archived: unasked, trail },
  };
}

const [filed, ...others] = STORY;

describe('following a ticket', () => {
  it('prints what is new until it is closed, through an outage that is told once', async () => {
    const away = new MedicError('MEDIC_TEMPORAL_UNREACHABLE', 'no Temporal answers');
    const { book, asked } = bookOf([[filed!], away, away, others]);
    const { screen, out } = paper();
    let outages = 0;
    const phase = await follow(book, KILLED_STORE.id, screen, {
      onOutage: () => {
        outages += 1;
      },
    });
    expect([phase, outages, asked]).toEqual(['resolved', 1, [0, 1, 1, 1]]);
    expect(out()[0]).toContain('tikv/7 filed');
    expect(out().at(-1)).toContain('closed    resolved by medic');
  });

  it('waits for a ticket that was only just announced', async () => {
    const { book } = bookOf([new MedicError('MEDIC_TICKET_UNKNOWN', 'there is no ticket tikv/7'), STORY]);
    expect(await follow(book, KILLED_STORE.id, paper().screen)).toBe('resolved');
  });

  it('stops at an open phase when it is asked to', async () => {
    const escalated: TrailEvent = {
      ...{ seq: 2, at: KILLED_STORE.filedAt, type: 'moved', from: 'investigating', to: 'escalated' },
      ...{ why: 'escalated', because: 'nothing fits' },
    };
    const until = (phase: string) => phase === 'escalated';
    expect(await follow(bookOf([[filed!, escalated]]).book, KILLED_STORE.id, paper().screen, { until })).toBe(
      'escalated',
    );
  });

  it('does not wait for a damaged archive to heal', async () => {
    const { book } = bookOf([new MedicError('MEDIC_ARCHIVE_UNREADABLE', 'tikv-7.json: no')]);
    await expect(follow(book, KILLED_STORE.id, paper().screen)).rejects.toThrow('tikv-7.json: no');
  });
});
