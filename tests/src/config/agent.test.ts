import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../src/config/agent.js';
import { refusalOf, withFile } from './written.js';

const HEAD = `name: triage
version: 3
subject: tikv
actions: [start-store]
looks: {apis: [pd], programs: [labctl]}
limits: {turns: 30, looks: 60, acts: 4, tokens: 0, usd: 0.5, wall: 90m}
`;
const refused = (text: string) => refusalOf('triage.md', text, loadAgent);

describe('an agent file', () => {
  it('is scope and limits in its head, the runbook below', () =>
    withFile('triage.md', `---\n${HEAD}---\n\n# Triage\n\nLook first.\n\n---\n\nThen act.\n`, async (path) => {
      const { sha256, ...agent } = await loadAgent(path);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(agent).toEqual({
        name: 'triage',
        version: 3,
        subject: 'tikv',
        actions: ['start-store'],
        looks: { apis: ['pd'], programs: ['labctl'] },
        limits: { turns: 30, looks: 60, acts: 4, tokens: 0, usd: 0.5, wallMs: 5_400_000 },
        runbook: '# Triage\n\nLook first.\n\n---\n\nThen act.',
      });
    }));

  it('changes its hash with a change of the runbook alone', async () => {
    const hashOf = (runbook: string) =>
      withFile('triage.md', `---\n${HEAD}---\n${runbook}`, async (path) => (await loadAgent(path)).sha256);
    expect(await hashOf('Look first.')).not.toBe(await hashOf('Act first.'));
  });

  it('is taken with the line ends of another system', () =>
    withFile('triage.md', `---\n${HEAD}---\nRun.\n`.replaceAll('\n', '\r\n'), async (path) => {
      expect((await loadAgent(path)).runbook).toBe('Run.');
    }));

  it.each([
    ['no head', '# Triage\n', 'triage.md:1:1  The file does not begin with a line `---`.'],
    ['a head without end', `---\n${HEAD}# Triage\n`, 'triage.md:1:1  The head is not closed by a line `---`.'],
    [
      'a head in another language',
      `---js\nmodule.exports = process.exit(7)\n---\n`,
      'triage.md:1:1  The head is not closed by a line `---`.',
    ],
  ])('is refused for %s', async (_what, text, line) => {
    expect(await refused(text)).toEqual({ code: 'MEDIC_CONFIG_SYNTAX', lines: [line] });
  });

  it.each([
    [
      'a duration without unit',
      'wall: 90m',
      'wall: 90',
      'triage.md:7:68  `limits.wall` must be a duration like `30s` or `1h`, not `90`.',
    ],
    [
      'a duration in words',
      'wall: 90m',
      'wall: long',
      'triage.md:7:68  `limits.wall` must be a duration like `30s` or `1h`, not `long`.',
    ],
    ['a negative limit', 'acts: 4', 'acts: -1', 'triage.md:7:38  `limits.acts` must be at least 0, not `-1`.'],
    ['no turn at all', 'turns: 30', 'turns: 0', 'triage.md:7:17  `limits.turns` must be at least 1, not `0`.'],
    [
      'another name than its file',
      'name: triage',
      'name: other',
      'triage.md:2:7  `name` must be `triage`, as the file is named.',
    ],
  ])('is refused for %s, counting lines from the top of the file', async (_what, good, bad, line) => {
    expect(await refused(`---\n${HEAD.replace(good, bad)}---\n`)).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: [line],
    });
  });
});

describe('the first agent', () => {
  it('may start and resume nodes and take back orders to PD, read PD, status ports and the lab, and has limits', async () => {
    const agent = await loadAgent(new URL('../../../agents/on-call-triage.md', import.meta.url).pathname);
    expect(agent).toMatchObject({
      name: 'on-call-triage',
      subject: 'tikv',
      actions: expect.arrayContaining(['start-store', 'resume-process', 'start-pd-member', 'cancel-removal']),
      looks: { apis: ['pd', 'tikv-status'], programs: ['labctl'] },
      limits: { turns: 30, looks: 60, acts: 4, wallMs: 3_600_000 },
    });
    expect(agent.runbook).toMatch(/^# On-call triage for TiKV\n/);
  });
});
