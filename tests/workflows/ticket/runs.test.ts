import { describe, expect, it } from '@jest/globals';
import { withTemporal } from '../../support/temporal.js';
import { activityDoubles, noCounts, ticketInput } from '../ticket-double.js';
import { moves, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

describe('a ticket that policy lets run', () => {
  it('looks, proposes, acts once, proves and closes its books', async () => {
    const counts = noCounts();
    const { result, events } = await withTicket(temporal, { activities: activityDoubles(counts) }, async (ticket) => ({
      result: await ticket.result(),
      events: await trail(ticket),
    }));
    expect(result).toMatchObject({ phase: 'resolved', proof: { result: 'healthy', causeGone: true } });
    expect(moves(events)).toEqual(['dispatched', 'proposed', 'permitted', 'acted', 'proven']);
    expect(counts).toMatchObject({ acts: 1, gates: 1, releases: 1, judged: 1, notices: ['filed', 'closed'] });
    expect(counts.archived[0]).toContain('process-dead/tikv-2');
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
  });

  it('tells its story in the Temporal UI: summaries, details, search attributes', async () => {
    const input = ticketInput();
    await withTicket(temporal, { activities: activityDoubles(noCounts()), input }, async (ticket) => {
      await ticket.result();
      const described = await ticket.describe();
      const attributes = Object.fromEntries(
        described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      expect(attributes).toMatchObject({
        MedicPhase: 'resolved',
        MedicCause: 'process-dead/tikv-2',
        MedicTarget: 'tikv-2',
      });
      const metadata = await ticket.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(metadata.currentDetails).toContain('**resolved**');
      expect(metadata.currentDetails).toContain(
        '| H1 | process-dead/tikv-2 | confirmed | 0.90 | e2 e3 | - | the proof: healthy 3 of 3; cause gone |',
      );
      const { events } = await ticket.fetchHistory();
      const summaries = (events ?? []).flatMap((e) => {
        const data = e.userMetadata?.summary?.data;
        return data ? [JSON.parse(Buffer.from(data).toString()) as string] : [];
      });
      expect(summaries).toContain('act: lab$ labctl start tikv-2');
      expect(summaries).toContain('proof sample 1');
      const scheduled = (events ?? []).filter(
        (e) => e.activityTaskScheduledEventAttributes || e.timerStartedEventAttributes,
      );
      expect(scheduled.filter((e) => !e.userMetadata?.summary)).toEqual([]);
    });
  });
});
