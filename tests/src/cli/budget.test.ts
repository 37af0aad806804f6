import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { printBudget } from '../../../src/cli/budget.js';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { loadBudget } from '../../../src/config/budget.js';
import { viewBudget } from '../../../src/domain/budget-view.js';
import type { Ceilings } from '../../../src/domain/ceilings.js';
import { ticketId } from '../../../src/domain/ids.js';
import { reserve, settle } from '../../../src/domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../../../src/domain/ledger-state.js';
import { createBudgetClient } from '../../../src/runtime/budget-client.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { openInstance } from '../../../src/runtime/process/instance.js';
import { withTemporal } from '../../support/temporal.js';
import { temporaryFolder } from '../runtime/process/temporary.js';
import { paper } from './paper.js';

const NOW = '2026-11-29T00:00:00.000Z';
const CEILINGS: Ceilings = { monthUsd: 10, agents: { triage: 8 }, ticketUsd: 5, warnAt: 0.8 };
const call = (id: string, micros: number, ticket = 1) => ({
  ...{ id, ticket: ticketId('tikv', ticket), agent: 'triage', model: 'm', micros },
});

function ledgerOf(): Ledger {
  let { ledger } = reserve(EMPTY_LEDGER, call('a', 4_500_000), CEILINGS, NOW);
  ledger = settle(ledger, { id: 'a', outcome: { kind: 'used', micros: 4_200_000 } }, NOW).ledger;
  ledger = reserve(ledger, call('b', 500_000, 2), CEILINGS, NOW).ledger;
  ledger = settle(ledger, { id: 'b', outcome: { kind: 'unknown', why: 'timeout' } }, NOW).ledger;
  ledger = reserve(ledger, call('c', 300_000, 2), CEILINGS, NOW).ledger;
  return reserve(ledger, call('d', 1_000_000, 1), CEILINGS, NOW).ledger;
}

describe('medic budget on a terminal', () => {
  it('says what is spent, what is left, how the forecast comes about, and which ceiling refuses', () => {
    const { screen, out, err } = paper({ columns: 120 });
    printBudget(viewBudget(ledgerOf(), CEILINGS, NOW), screen);
    expect(err()).toEqual([
      '2026-11 (UTC): 3 paid calls, 1 refused',
      'forecast for 2026-11: 14.40 USD = spent and reserved so far, and 4.70 USD a day (mean of the last 1.0 days) for the 2.0 days left',
      '1 with a lost answer, counted at their worst case',
    ]);
    expect(out()).toEqual([
      'OF      NAME        SPENT   RESERVED  LEFT    CEILING  STATE',
      'month   2026-11     4.70    0.3000    5.00    10.00    open',
      'agent   triage      4.70    0.3000    3.00    8.00     open',
      'ticket  tikv/1      4.20    0.00      0.8000  5.00     ceiling reached: paid calls refused',
      'ticket  tikv/2      0.5000  0.3000    4.20    5.00     open',
      'day     2026-11-29  4.70    -         -       -        -',
    ]);
  });

  it('says that nothing was ever spent', () => {
    const { screen, out, err } = paper({ columns: 120 });
    printBudget(viewBudget(null, CEILINGS, NOW), screen);
    expect(err()).toEqual(['no paid call was ever asked for; 10.00 USD may be spent in 2026-11']);
    expect(out().slice(1)).toEqual([
      'month  2026-11  0.00   0.00      10.00  10.00    open',
      'agent  triage   0.00   0.00      8.00   8.00     open',
    ]);
  });
});

describe('medic budget on a running instance', () => {
  const temporal = withTemporal();

  /** An instance that is nothing but its Temporal. */
  async function withInstance(work: (home: string) => Promise<void>) {
    const instance = openInstance({ home: temporaryFolder() });
    const { address } = temporal;
    instance.publish({
      ...{ address, namespace: 'default', taskQueuePrefix: 'medic', uiUrl: '', ports: {}, processes: {} },
    });
    try {
      await work(instance.home);
    } finally {
      instance.close();
    }
  }
  const medic = async (...argv: string[]) => {
    const { screen, out, err } = paper();
    const code = await runCommandLine(argv, screen);
    return { code, out: out(), err: err() };
  };

  it('shows a budget in which nothing was spent, then what was, and as JSON; without a worker it ends with 4', async () => {
    const { ceilings } = await loadBudget(join(packageRoot(), 'policies', 'budget.yaml'));
    const month = new Date().toISOString().slice(0, 7);
    await withInstance(async (home) => {
      expect(await medic('budget', '--home', home)).toMatchObject({
        code: 0,
        err: [`no paid call was ever asked for; ${ceilings.monthUsd.toFixed(2)} USD may be spent in ${month}`],
      });
      await temporal.withWorker({ tellBudget: async () => {} }, async (taskQueue) => {
        const { client } = temporal;
        const port = createBudgetClient({ client, taskQueue, ceilings: async () => ceilings, now: Date.now });
        await port.reserve({ ...call('a', 300_000), agent: 'on-call-triage' });
        await port.settle({ id: 'a', outcome: { kind: 'used', micros: 120_000 } });
        const table = await medic('budget', '--home', home);
        expect(table.out[0]?.split('\t').slice(0, 4)).toEqual(['month', month, '0.1200', '0.00']);
        const json = await medic('budget', '--json', '--home', home);
        expect(JSON.parse(json.out.join('\n'))).toMatchObject({
          apiVersion: 'medic/v1',
          kind: 'budget',
          value: { month, total: { spentMicros: 120_000, calls: 1, state: 'open' }, tickets: [{ ticket: 'tikv/1' }] },
        });
      });
      expect(await medic('budget', '--home', home)).toMatchObject({
        ...{ code: 4, out: [], err: [expect.stringMatching(/^MEDIC_WORKER_SILENT {2}/), expect.any(String)] },
      });
    });
  }, 60_000);

  it('ends with 4 where nothing runs', async () => {
    const home = temporaryFolder();
    expect(await medic('budget', '--home', home)).toEqual({
      ...{ code: 4, out: [] },
      err: [`MEDIC_INSTANCE_NOT_RUNNING  no Medic runs on ${home}`, '  Start one with `./medic up`.'],
    });
  });
});
