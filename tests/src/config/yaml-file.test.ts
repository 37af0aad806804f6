import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { parseYaml, readConfigText } from '../../../src/config/yaml-file.js';
import { MedicError } from '../../../src/domain/errors.js';
import { withFile } from './written.js';

const Host = z
  .strictObject({ name: z.string(), port: z.int().min(1).max(65535), apiKey: z.string().regex(/^k/).optional() })
  .describe('a host');
const Schema = z
  .strictObject({
    environment: z.enum(['lab', 'staging']),
    hosts: z.array(Host).min(1),
    limits: z.strictObject({ turns: z.number() }).describe('the limits').optional(),
  })
  .describe('a configuration');

const GOOD = 'environment: lab\nhosts:\n  - name: a\n    port: 1\n';

function refusal(text: string, firstLine?: number) {
  try {
    parseYaml({ path: 'medic.yaml', text, firstLine }, Schema);
  } catch (failure) {
    if (!(failure instanceof MedicError)) throw failure;
    return `${failure.code} ${failure.message}`;
  }
  return 'accepted';
}

describe('a YAML file', () => {
  it('is given back as the schema made it', () => {
    expect(parseYaml({ path: 'medic.yaml', text: GOOD }, Schema)).toEqual({
      environment: 'lab',
      hosts: [{ name: 'a', port: 1 }],
    });
  });

  it('is read with the hash of its bytes', () =>
    withFile('x.yaml', 'a: 1\n', async (path) => {
      expect(await readConfigText(path)).toEqual({
        text: 'a: 1\n',
        sha256: '37b128c59f1f5097f73f82691cb519f1f568667faab5ced1b4ab979d36837eae',
      });
    }));

  it('that is not there is refused by its path', async () => {
    await expect(readConfigText('/nowhere/medic.yaml')).rejects.toMatchObject({
      code: 'MEDIC_CONFIG_UNREADABLE',
      message: "/nowhere/medic.yaml  ENOENT: no such file or directory, open '/nowhere/medic.yaml'",
    });
  });

  it.each([
    [
      'an unknown key at its own place, with what was meant',
      `${GOOD}hots: []\nlimts: {}\n`,
      'MEDIC_CONFIG_UNKNOWN_KEY medic.yaml:5:1  `hots` is not a setting of a configuration. Its settings are `environment`, `hosts`, `limits`.\nmedic.yaml:6:1  `limts` is not a setting of a configuration. Did you mean `limits`?',
    ],
    [
      'an unknown key deep inside',
      'environment: lab\nhosts:\n  - name: a\n    prot: 1\n    port: 2\n',
      'MEDIC_CONFIG_UNKNOWN_KEY medic.yaml:4:5  `prot` is not a setting of a host. Its settings are `name`, `port`, `apiKey`.',
    ],
    [
      'a misspelt key once, not also as missing',
      'enviroment: lab\nhosts: [{name: a, port: 1}]\n',
      'MEDIC_CONFIG_UNKNOWN_KEY medic.yaml:1:1  `enviroment` is not a setting of a configuration. Did you mean `environment`?',
    ],
    [
      'a missing key at the mapping that lacks it',
      'environment: lab\nhosts:\n  - port: 1\n',
      'MEDIC_CONFIG_INVALID medic.yaml:3:5  `hosts[0].name` is missing.',
    ],
    [
      'a value of the wrong type',
      `${GOOD}limits: {turns: many}\n`,
      'MEDIC_CONFIG_INVALID medic.yaml:5:17  `limits.turns` must be a number, not `many`.',
    ],
    [
      'a fraction where whole numbers are due',
      'environment: lab\nhosts: [{name: a, port: 1.5}]\n',
      'MEDIC_CONFIG_INVALID medic.yaml:2:25  `hosts[0].port` must be a whole number, not `1.5`.',
    ],
    [
      'a value that is no option',
      'environment: prod\nhosts: [{name: a, port: 1}]\n',
      'MEDIC_CONFIG_INVALID medic.yaml:1:14  `environment` must be one of `lab`, `staging`, not `prod`.',
    ],
    [
      'a value out of range',
      'environment: lab\nhosts: [{name: a, port: 70000}]\n',
      'MEDIC_CONFIG_INVALID medic.yaml:2:25  `hosts[0].port` must be at most 65535, not `70000`.',
    ],
    [
      'a list that is too short',
      'environment: lab\nhosts: []\n',
      'MEDIC_CONFIG_INVALID medic.yaml:2:8  `hosts` must be at least 1 entry long.',
    ],
    [
      'a mapping where a list is due',
      'environment: lab\nhosts: {name: a}\n',
      'MEDIC_CONFIG_INVALID medic.yaml:2:8  `hosts` must be a list, not a mapping.',
    ],
    [
      'an empty value',
      'environment:\nhosts: [{name: a, port: 1}]\n',
      'MEDIC_CONFIG_INVALID medic.yaml:1:13  `environment` must be one of `lab`, `staging`, not empty.',
    ],
    ['an empty file', '', 'MEDIC_CONFIG_INVALID medic.yaml:1:1  The file must be a mapping, not empty.'],
    [
      'a key that is given twice',
      `${GOOD}environment: staging\n`,
      'MEDIC_CONFIG_SYNTAX medic.yaml:5:1  `environment` is given more than once.',
    ],
    [
      'bad indentation',
      'a:\n  b: 1\n c: 2\n',
      'MEDIC_CONFIG_SYNTAX medic.yaml:3:1  All mapping items must start at the same column.',
    ],
    [
      'a tag that asks for code',
      'environment: !!js/function "x"\n',
      'MEDIC_CONFIG_SYNTAX medic.yaml:1:14  Unresolved tag: tag:yaml.org,2002:js/function.',
    ],
    [
      'an alias to nothing',
      'environment: *lab\n',
      'MEDIC_CONFIG_SYNTAX medic.yaml:1:14  `*lab` refers to nothing above it.',
    ],
    [
      'a second document',
      `${GOOD}---\n${GOOD}`,
      'MEDIC_CONFIG_SYNTAX medic.yaml:5:1  Source contains multiple documents; please use YAML.parseAllDocuments().',
    ],
  ])('is refused for %s', (_what, text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it('that multiplies aliases without end is refused', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 9; i++)
      lines.push(
        `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(refusal(lines.join('\n'))).toBe(
      'MEDIC_CONFIG_SYNTAX medic.yaml:1:1  Excessive alias count indicates a resource exhaustion attack.',
    );
  });

  it('never shows a value whose name says that it is a secret', () => {
    expect(refusal('environment: lab\nhosts: [{name: a, port: 1, apiKey: "hunter2"}]\n')).toMatch(
      /^MEDIC_CONFIG_INVALID medic\.yaml:2:36 {2}`hosts\[0\]\.apiKey` [^`]*pattern \/\^k\/\.$/,
    );
  });

  it('that is the head of another file counts its lines from there', () => {
    expect(refusal('environment: prod\nhosts: [{name: a, port: 1}]\n', 2)).toMatch(
      /^MEDIC_CONFIG_INVALID medic\.yaml:2:14 /,
    );
  });
});
