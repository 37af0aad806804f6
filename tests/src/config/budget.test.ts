import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../src/config/agent.js';
import { loadBudget } from '../../../src/config/budget.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { refusalOf, withFile } from './written.js';

const TEXT = 'version: 1\nmonth: 50\nagents:\n  triage: 40\nticket: 2.5\nwarnAt: 80%\n';
const refused = (text: string) => refusalOf('budget.yaml', text, loadBudget);

describe('a budget file', () => {
  it('holds ceilings in dollars and the part at which a person is told', () =>
    withFile('budget.yaml', TEXT, async (path) => {
      const { ceilings, sha256 } = await loadBudget(path);
      expect(ceilings).toEqual({ monthUsd: 50, agents: { triage: 40 }, ticketUsd: 2.5, warnAt: 0.8 });
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }));

  it('may forbid every paid call, and name no agent', () =>
    withFile('budget.yaml', 'version: 1\nmonth: 0\nagents: {}\nticket: 0\nwarnAt: 100%\n', async (path) => {
      expect((await loadBudget(path)).ceilings).toEqual({ monthUsd: 0, agents: {}, ticketUsd: 0, warnAt: 1 });
    }));

  it.each([
    [TEXT.replace('50', '-1'), 'MEDIC_CONFIG_INVALID', 'budget.yaml:2:8  `month` must be at least 0, not `-1`.'],
    [TEXT.replace('50', '$50'), 'MEDIC_CONFIG_INVALID', 'budget.yaml:2:8  `month` must be a number, not `$50`.'],
    [
      TEXT.replace('80%', '0.8'),
      'MEDIC_CONFIG_INVALID',
      'budget.yaml:6:9  `warnAt` must be a percentage like `80%`, not `0.8`.',
    ],
    [
      TEXT.replace('80%', '0%'),
      'MEDIC_CONFIG_INVALID',
      'budget.yaml:6:9  `warnAt` must be a percentage like `80%`, not `0%`.',
    ],
    [
      TEXT.replace('triage', 'Triage'),
      'MEDIC_CONFIG_INVALID',
      'budget.yaml:4:11  `agents.Triage` is not the name of an agent.',
    ],
    [
      TEXT.replace('ticket', 'tickets'),
      'MEDIC_CONFIG_UNKNOWN_KEY',
      'budget.yaml:5:1  `tickets` is not a setting of a budget. Did you mean `ticket`?',
    ],
    [TEXT.replace('month: 50\n', ''), 'MEDIC_CONFIG_INVALID', 'budget.yaml:1:1  `month` is missing.'],
    [
      TEXT.replace('version: 1', 'version: 2'),
      'MEDIC_CONFIG_INVALID',
      'budget.yaml:1:10  `version` must be `1`, not `2`.',
    ],
  ])('is refused with the place of what is wrong: %#', async (text, code, line) => {
    expect(await refused(text)).toEqual({ code, lines: [line] });
  });
});

describe('the budget that comes with Medic', () => {
  it('names its agent, and lets no ticket have more than the agent allows it', async () => {
    const { ceilings } = await loadBudget(join(packageRoot(), 'policies', 'budget.yaml'));
    expect(ceilings).toEqual({ monthUsd: 50, agents: { 'on-call-triage': 40 }, ticketUsd: 2, warnAt: 0.8 });
    const agent = await loadAgent(join(packageRoot(), 'agents', 'on-call-triage.md'));
    expect(Object.keys(ceilings.agents)).toEqual([agent.name]);
    expect(ceilings.ticketUsd).toBeGreaterThanOrEqual(agent.limits.usd);
  });
});
