import { expect, it } from '@jest/globals';
import { createLog } from '../../../../../subjects/tikv/lab/store/log.js';

it('writes log lines in the look of TiKV, quoting what needs it', () => {
  const lines: string[] = [];
  const log = createLog({ now: () => new Date('2026-11-30T14:00:00.123Z'), write: (line) => lines.push(line) });
  log.info('raft.rs', 'became leader at term 7', { region_id: 10, why: 'a "timeout"' });
  log.warn('pd.rs', 'lonely');
  expect(lines).toEqual([
    '[2026/11/30 14:00:00.123 +00:00] [INFO] [raft.rs] ["became leader at term 7"] [region_id=10] [why="a \\"timeout\\""]\n',
    '[2026/11/30 14:00:00.123 +00:00] [WARN] [pd.rs] [lonely]\n',
  ]);
});
