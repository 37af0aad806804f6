import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadMedic } from '../../../src/config/medic.js';
import { keyed } from '../policy/people.js';
import { refusalOf, withFile } from './written.js';

const [ANA, BEN] = [keyed('ana').person.key, keyed('ben').person.key];
const TEXT = `version: 1
people:
  - name: ana
    key: ${ANA}
    roles: [oncall]
  - { name: ben, key: "${BEN}", roles: [oncall, lead] }
roles:
  oncall: { approve: [reversible, start-store], subjects: [tikv] }
  lead:
    approve: [reversible, irreversible, unproven]
    subjects: [all]
anonymous: { approve: [resume-process] }
autonomy:
  tikv: ask
`;
const refused = (text: string) => refusalOf('medic.yaml', text, loadMedic);

describe('people in medic.yaml', () => {
  it('have keys and roles; unsigned answers and each subject have their limits', () =>
    withFile('medic.yaml', TEXT, async (path) => {
      expect((await loadMedic(path)).authority).toEqual({
        people: [
          { name: 'ana', key: ANA, roles: ['oncall'] },
          { name: 'ben', key: BEN, roles: ['oncall', 'lead'] },
        ],
        roles: {
          oncall: { approve: ['reversible', 'start-store'], subjects: ['tikv'] },
          lead: { approve: ['reversible', 'irreversible', 'unproven'], subjects: ['all'] },
        },
        anonymous: { approve: ['resume-process'], subjects: ['all'] },
        autonomy: { tikv: 'ask' },
      });
    }));

  it('are as in the example of the page', async () => {
    const page = readFileSync(new URL('../../../docs/approvals.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const { people, anonymous } = await withFile(
      'medic.yaml',
      example,
      async (path) => (await loadMedic(path)).authority,
    );
    expect(people.map(({ name }) => name)).toEqual(['ana', 'ben', 'eva']);
    expect(anonymous).toEqual({ approve: [], subjects: ['all'] });
  });

  it.each([
    [
      'two with one key, who could approve for both',
      TEXT.replace(BEN, ANA),
      `medic.yaml:6:23  \`people[1].key\` is the key of another one.`,
    ],
    [
      'two of one name',
      TEXT.replace('name: ben', 'name: ana'),
      'medic.yaml:6:13  `people[1].name` is the name of another one, not `ana`.',
    ],
    [
      'a role that is not there',
      TEXT.replace('roles: [oncall]', 'roles: [on-call]'),
      'medic.yaml:5:13  `people[0].roles[0]` must be one of `roles` (did you mean `oncall`?), not `on-call`.',
    ],
    [
      'a private key, or what else is no public one, without repeating it',
      TEXT.replace(ANA, 'MC4CAQAwBQYDK2Vw'),
      'medic.yaml:4:10  `people[0].key` must be a public key as `./medic identity show` prints it.',
    ],
    [
      'a kind that is misspelt',
      TEXT.replace('irreversible,', 'irreversble,'),
      'medic.yaml:10:27  `roles.lead.approve[1]` must be an action or a kind (did you mean `irreversible`?), not `irreversble`.',
    ],
    [
      'anonymous answers to what takes two people',
      TEXT.replace('[resume-process]', '[irreversible]'),
      'medic.yaml:12:24  `anonymous.approve[0]` takes two people whose answers are signed, not `irreversible`.',
    ],
    [
      'a level of autonomy that does not exist',
      TEXT.replace('tikv: ask', 'tikv: earned'),
      'medic.yaml:14:9  `autonomy.tikv` must be one of `observe`, `ask`, `playbooks`, not `earned`.',
    ],
  ])('are refused with the place of what is wrong: %s', async (_, text, line) => {
    expect(await refused(text)).toEqual({ code: 'MEDIC_CONFIG_INVALID', lines: [line] });
  });

  it('are refused with settings that they do not have', async () => {
    expect(await refused(TEXT.replace('roles: [oncall]', 'role: oncall'))).toEqual({
      code: 'MEDIC_CONFIG_UNKNOWN_KEY',
      lines: ['medic.yaml:5:5  `role` is not a setting of a person. Did you mean `roles`?'],
    });
  });
});
