import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { deskRemarks, printWindows } from '../../../src/cli/maintenance.js';
import { emptyDesk } from '../../../src/domain/desk.js';
import { closeWindow, holdBack, NO_MAINTENANCE, openWindow } from '../../../src/domain/maintenance.js';
import { later } from '../../../src/domain/waits.js';
import { violation } from '../../workflows/ticket-double.js';
import { paper } from './paper.js';

const NOW = '2026-01-02T03:00:00.000Z';
const HOUR = 3_600_000;

function books() {
  const by = { by: 'ana', reason: 'kernel upgrade', forMs: 2 * HOUR };
  const first = openWindow(NO_MAINTENANCE, { ...by, target: 'tikv-3' }, NOW).book;
  const ended = closeWindow(first, 'm1', { now: later(NOW, HOUR) }).book;
  const open = openWindow(ended, { ...by, target: 'tikv-2' }, later(NOW, HOUR)).book;
  const active = [violation('store-up')];
  const report = { subject: 'tikv', seq: 1, watch: 'w', at: later(NOW, HOUR + 1), active, suspect: [], judged: [] };
  return holdBack(open, report, new Set()).book;
}

const DESK = { subject: 'tikv', desk: { ...emptyDesk(1), maintenance: books() } };

describe('medic maintenance', () => {
  it('lists the open windows and those that are over, with what they recorded', () => {
    const { screen, out } = paper();
    printWindows([DESK], { screen, now: Date.parse(NOW) + 2 * HOUR });
    expect(out()).toEqual([
      'm2\ttikv\ttikv-2\t60 m left\tana\tkernel upgrade\tstore-up tikv-2',
      'm1\ttikv\ttikv-3\tover 60 m ago\tana\tkernel upgrade\t-',
    ]);
  });

  it('fits into a terminal', () => {
    const { screen, out } = paper({ columns: 80 });
    printWindows([DESK], { screen, now: Date.parse(NOW) + 2 * HOUR });
    for (const line of out()) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('says that there is none', () => {
    const { screen, out, err } = paper();
    printWindows([{ subject: 'tikv', desk: emptyDesk(1) }], { screen, now: 0 });
    expect([out(), err()]).toEqual([[], ['no maintenance window, and none was lately']]);
  });

  it('is remarked where tickets are listed, as a freeze is', () => {
    const frozen = { by: 'bob', reason: 'audit', at: NOW };
    expect(deskRemarks([{ ...DESK, desk: { ...DESK.desk, frozen } }], '.medic')).toEqual([
      'tikv is frozen by bob: audit',
      'tikv maintenance m2 of tikv-2 until 2026-01-02T06:00:00.000Z: 1 recorded, not filed (./medic maintenance list)',
    ]);
  });

  it.each([
    [
      ['--target', 'tikv-2', '--for', 'soon', '--reason', 'x'],
      '--for must be a duration like `30m` or `2h`, not `soon`',
    ],
    [['--target', 'tikv-2', '--for', '0s', '--reason', 'x'], '--for must be a duration like `30m` or `2h`, not `0s`'],
    [['--target', 'tikv-2', '--all', '--for', '1h', '--reason', 'x'], 'maintenance needs either --target or --all'],
    [['--for', '1h', '--reason', 'x'], 'maintenance needs either --target or --all'],
    [['--all', '--reason', 'x'], 'maintenance needs --for: how long, like `30m` or `2h`'],
    [['--all', '--for', '1h'], 'maintenance needs --reason, which is recorded'],
  ])('%j is not understood', async (options, words) => {
    const { screen, err } = paper();
    expect(await runCommandLine(['maintenance', ...options], screen)).toBe(2);
    expect(err()).toEqual([`MEDIC_USAGE  ${words}`, '  See `./medic maintenance --help`.']);
  });
});
