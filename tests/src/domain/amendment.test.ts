import { describe, expect, it } from '@jest/globals';
import { type Amendment, faultOfAmendment } from '../../../src/domain/amendment.js';
import { proposalId } from '../../../src/domain/ids.js';
import type { StepDraft } from '../../../src/domain/proposal.js';

const START: StepDraft = { kind: 'action', action: 'start-store', target: 'tikv-2' };
const shell = (command: string): StepDraft => ({
  kind: 'call',
  describe: 'look',
  target: 'tikv-2',
  call: { kind: 'shell', host: 'lab', command },
});
const amendment = (part: Partial<Record<keyof Amendment, unknown>> = {}) => ({
  ...{ proposal: proposalId('p'), basisHash: 'h', by: 'ana', note: 'this one', steps: [START] },
  ...part,
});

describe('an amendment', () => {
  it('is well formed with actions, commands and calls', () => {
    const get = { kind: 'http', api: 'pd', method: 'GET', path: '/pd/api/v1/stores' };
    const http = { kind: 'call', describe: 'ask', target: 'pd', call: get };
    expect(faultOfAmendment(amendment({ steps: [START, shell('labctl ps'), http], title: 'mine' }))).toBeNull();
  });

  it.each([
    [null, 'need {proposal, basisHash, by, note, steps}'],
    [amendment({ by: 7 }), 'need {proposal, basisHash, by, note, steps}'],
    [amendment({ steps: [] }), 'a plan has at least one step; to stop it, deny it'],
    [amendment({ steps: Array.from({ length: 9 }, () => START) }), 'a plan has at most 8 steps, not 9'],
    [amendment({ steps: [shell('x'.repeat(16_000))] }), 'the steps have more than 16000 bytes'],
    [amendment({ title: 'x'.repeat(201) }), 'the title has at most 200 characters'],
    [
      amendment({ steps: [START, { kind: 'call', describe: 'd', target: 't', call: { kind: 'http', path: 'x' } }] }),
      'step 2 is neither {action, target} nor {describe, target, call}',
    ],
    [amendment({ steps: ['labctl ps'] }), 'step 1 is neither {action, target} nor {describe, target, call}'],
  ])('is refused with the reason: %#', (wrong, message) => {
    expect(faultOfAmendment(wrong)).toEqual({ code: 'MEDIC_AMEND_SHAPE', message });
  });
});
