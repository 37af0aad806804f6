import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadMedic } from '../../../../src/config/medic.js';
import { contentFiles } from '../../../../src/runtime/content.js';
import { policyOf } from '../../../../src/runtime/worker/subject-policy.js';
import { withHome } from '../../evidence/home.js';

const { policyFile } = contentFiles();
const text = (autonomy: string, more = '') => `version: 1
subjects:
  - name: prod
    type: tikv
    environment: production
    autonomy: ${autonomy}
    pd: { endpoints: [http://127.0.0.1:1] }
${more}`;

/** Policies of a worker that was started with the first text, once the file says each of the others. */
const started = (first: string, ...later: readonly string[]) =>
  withHome(async (home) => {
    const configFile = join(home, 'medic.yaml');
    writeFileSync(configFile, first);
    const { subjects } = await loadMedic(configFile);
    const seen = [];
    for (const now of [first, ...later]) {
      writeFileSync(configFile, now);
      seen.push(await policyOf('prod', { policyFile, configFile, subjects: [...subjects] }).catch(({ code }) => code));
    }
    return seen;
  });

describe('the policy of a subject', () => {
  it('is the file of the lab for what medic.yaml does not name', async () => {
    const policy = await policyOf('tikv', { policyFile, configFile: null, subjects: [] });
    expect(policy).toMatchObject({ environment: 'lab', autonomy: 'playbooks' });
  });

  it('has the environment and autonomy of medic.yaml, and pre-approves what its own file names', async () => {
    const [ask, playbooks] = [
      await started(text('ask')),
      await started(text('playbooks', `    policy: ${policyFile}\n`)),
    ].flat();
    expect(ask).toEqual({ version: 1, environment: 'production', autonomy: 'ask', preApproved: [] });
    expect(playbooks).toMatchObject({ environment: 'production', autonomy: 'playbooks' });
    expect((playbooks as { preApproved: object[] }).preApproved.length).toBeGreaterThan(0);
  });

  it('is lowered at once, by the file or by what is no longer in it, and raised from observe only by a start', async () => {
    const autonomy = (seen: unknown[]) => seen.map((policy) => (policy as { autonomy: string }).autonomy);
    expect(autonomy(await started(text('ask'), text('observe'), 'version: 1\n'))).toEqual([
      'ask',
      'observe',
      'observe',
    ]);
    expect(autonomy(await started(text('observe'), text('ask')))).toEqual(['observe', 'observe']);
  });

  it('cannot be told while the file has a mistake: nothing is ruled on', async () => {
    expect((await started(text('ask'), text('aks')))[1]).toBe('MEDIC_CONFIG_INVALID');
  });
});
