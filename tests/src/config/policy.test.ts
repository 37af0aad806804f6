import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { loadPolicy } from '../../../src/config/policy.js';
import { refusalOf, withFile } from './written.js';

const policy = (approvals: string) => `version: 1\nenvironment: lab\nautonomy: playbooks\npreApproved:\n${approvals}`;
const entry = (rest: string) => `  - action: start-store\n    agent: on-call-triage\n${rest}`;
const refused = (text: string) => refusalOf('lab.yaml', text, loadPolicy);

describe('a policy file', () => {
  it('pre-approves actions within a rate', () =>
    withFile('lab.yaml', policy(entry('    max: 2 per target per 1h\n    evenIfUnreadable: true\n')), async (path) => {
      expect((await loadPolicy(path)).policy).toEqual({
        version: 1,
        environment: 'lab',
        autonomy: 'playbooks',
        preApproved: [
          {
            action: 'start-store',
            agent: 'on-call-triage',
            max: { times: 2, per: 'target', withinMs: 3_600_000 },
            evenIfUnreadable: true,
          },
        ],
      });
    }));

  it('is known by the hash of its bytes', () =>
    withFile('lab.yaml', policy('  []\n'), async (path) => {
      const sha256 = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      expect((await loadPolicy(path)).sha256).toBe(sha256);
    }));

  it.each([
    '2 per target',
    '0 per target per 1h',
    '2 per cluster per 1h',
    '2 per target per 1',
    'two per target per 1h',
    '2 per target per 0h',
  ])('is refused for the rate "%s"', async (rate) => {
    expect(await refused(policy(entry(`    max: ${rate}\n`)))).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: [`lab.yaml:7:10  \`preApproved[0].max\` must be like \`2 per target per 1h\`, not \`${rate}\`.`],
    });
  });

  it('is refused when it approves one action twice, as it would be open which rate counts', async () => {
    const twice = policy(entry('    max: 2 per target per 1h\n') + entry('    max: 9 per target per 1m\n'));
    expect(await refused(twice)).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: ['lab.yaml:8:5  `preApproved[1]` pre-approves start-store for on-call-triage a second time.'],
    });
  });

  it('is refused in a version that this code does not know', async () => {
    expect(await refused('version: 2\nenvironment: lab\nautonomy: ask\npreApproved: []\n')).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: ['lab.yaml:1:10  `version` must be `1`, not `2`.'],
    });
  });

  it('is refused for an unknown autonomy and an unknown key, both with their places', async () => {
    expect(
      await refused(
        'version: 1\nenvironment: lab\nautonomy: full\npreApproved:\n  - aktion: start-store\n    agent: a\n    max: 1 per target per 1h\n',
      ),
    ).toEqual({
      code: 'MEDIC_CONFIG_INVALID',
      lines: [
        'lab.yaml:3:11  `autonomy` must be one of `observe`, `ask`, `playbooks`, not `full`.',
        'lab.yaml:5:5  `aktion` is not a setting of a pre-approval. Did you mean `action`?',
      ],
    });
  });
});

describe('the policy of the lab', () => {
  const twiceAnHour = (action: string) => ({
    action,
    agent: 'on-call-triage',
    max: { times: 2, per: 'target', withinMs: 3_600_000 },
  });

  it('lets the first agent do each action twice an hour, and while PD cannot be read only what takes nothing away', async () => {
    const { policy: lab } = await loadPolicy(new URL('../../../policies/lab.yaml', import.meta.url).pathname);
    expect(lab).toEqual({
      version: 1,
      environment: 'lab',
      autonomy: 'playbooks',
      preApproved: [
        ...['start-store', 'resume-process', 'start-pd-member'].map((action) => ({
          ...twiceAnHour(action),
          evenIfUnreadable: true,
        })),
        ...['cancel-removal', 'remove-scheduler', 'resume-scheduler'].map(twiceAnHour),
        ...['restore-limit', 'restore-add-peer-limit', 'restore-remove-peer-limit', 'restore-leader-weight'].map(
          twiceAnHour,
        ),
      ],
    });
  });
});
