import { describe, expect, it } from '@jest/globals';
import { parsePlan, planText } from '../../../src/config/plan.js';
import { PROPOSAL } from '../../support/killed-store.js';

const plan = (text: string) => parsePlan({ path: 'plan.yaml', text });
const complaint = (text: string) => {
  try {
    plan(text);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

describe('a plan as a person writes it', () => {
  it('names actions of the catalogue, commands on hosts and calls over HTTP', () => {
    const text = `
title: by hand
steps:
  - { action: start-store, target: tikv-2 }
  - { describe: look, target: tikv-2, host: lab, command: labctl ps }
  - { describe: ask, target: pd, api: pd, node: pd-0, method: POST, path: /x, body: '{}' }
`;
    expect(plan(text)).toEqual({
      title: 'by hand',
      steps: [
        { kind: 'action', action: 'start-store', target: 'tikv-2' },
        {
          kind: 'call',
          describe: 'look',
          target: 'tikv-2',
          call: { kind: 'shell', host: 'lab', command: 'labctl ps' },
        },
        {
          kind: 'call',
          describe: 'ask',
          target: 'pd',
          call: { kind: 'http', api: 'pd', node: 'pd-0', method: 'POST', path: '/x', body: '{}' },
        },
      ],
    });
  });

  it('may be JSON', () => {
    expect(plan('{"steps": [{"action": "start-store", "target": "tikv-2"}]}').steps).toHaveLength(1);
  });

  it('comes out of the editor as it went in', () => {
    const call = { kind: 'http', api: 'pd', method: 'DELETE', path: '/x' } as const;
    const [step] = PROPOSAL.steps;
    const free = { ...step!, action: null, describe: 'erase', call };
    expect(plan(planText({ title: 'both', steps: [step!, free] }))).toEqual({
      title: 'both',
      steps: [
        { kind: 'action', action: 'start-store', target: 'tikv-0' },
        { kind: 'call', describe: 'erase', target: 'tikv-0', call },
      ],
    });
  });

  it.each([
    ['steps: []', 'plan.yaml:1:8  `steps` must be at least 1 entry long.'],
    ['step: []', 'plan.yaml:1:1  `step` is not a setting of a plan. Did you mean `steps`?'],
    ['steps:\n  - { action: start-store }', 'plan.yaml:2:5  `steps[0].target` is missing.'],
    ['steps:\n  - { target: a, host: lab }', 'must have either `action`, or `host` and `command`'],
    ['steps:\n  - { target: a, action: b, host: lab, command: c }', 'must have either `action`'],
    ['steps:\n  - { target: a, host: lab, command: c }', 'must say in `describe` what it does'],
    ['steps:\n  - { target: a, describe: d, api: pd, method: POST, path: x }', 'must begin with `/`'],
  ])('is refused with line and column: %#', (text, words) => {
    expect(complaint(text)).toContain(words);
    expect(complaint(text)).toMatch(/^plan\.yaml:\d+:\d+ {2}/);
  });
});
