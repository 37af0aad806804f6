import { describe, expect, it } from '@jest/globals';
import { type CardView, printCard } from '../../../src/cli/decision-card.js';
import type { Step } from '../../../src/domain/proposal.js';
import { CARD, cardWith } from './cards.js';
import { paper } from './paper.js';

function card(view: CardView, columns?: number): string[] {
  const { screen, out } = paper(columns === undefined ? {} : { columns });
  printCard(view, screen);
  return out();
}

const [STEP] = CARD.status.pending.proposal.steps as [Step];

describe('the decision card', () => {
  it('has everything to decide by within 160 columns', () => {
    expect(card(CARD, 160)).toEqual([
      'tikv/7  severity high · opened 2 m ago · waits for you · expires in 29 m',
      'PROPOSAL #1  start the store tikv-0',
      'symptom   tikv-0 does not answer on its status port (connection refused)',
      'why       H1 process-dead/tikv-0 (0.95): the host shows tikv-0 exited 137, died',
      '            e2 lab$ labctl inspect tikv-0 -> tikv-0 exited 137, died',
      '            e3 lab$ labctl logs tikv-0 -> no line',
      '          ruled out: H2 process-frozen/tikv-0 (e2): there is no process to be frozen',
      'test      e2; would have refuted it: a process that runs',
      'weighed   process-frozen/tikv-0: refuted, there is no process to be frozen',
      'step 1    lab$ labctl start tikv-0',
      '            needs-approval: policy lab does not pre-approve start-store',
      '            undo: none, restorative: it takes nothing away',
      'effect    tikv-0 runs again',
      'risk      none for the others',
      'margin    tightest group region-10: 2 of 3 live, 2 needed',
      'basis     step 1: tikv-0 process=exited · step 1: impaired elsewhere=none',
      'no answer a reminder in 10 m, pager and boss told in 15 m, it expires and the reasoner goes on in 29 m, nothing runs',
    ]);
  });

  it('says the same within 80 columns', () => {
    const lines = card(CARD, 80);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.slice(2, 5)).toEqual([
      'symptom   tikv-0 does not answer on its status port (connection refused)',
      'why       H1 process-dead/tikv-0 (0.95): the host shows tikv-0 exited 137, died',
      '            e2 lab$ labctl inspect tikv-0 -> tikv-0 exited 137, died',
    ]);
    expect(lines.slice(-2)).toEqual([
      'no answer a reminder in 10 m, pager and boss told in 15 m, it expires and the',
      '            reasoner goes on in 29 m, nothing runs',
    ]);
    const words = (all: readonly string[]) => all.join(' ').replaceAll(/\s+/g, ' ');
    expect(words(lines)).toBe(words(card(CARD, 160)));
  });

  it('begins with what changed since the plan was last seen', () => {
    const lines = card(cardWith({ changes: ['step 1: tikv-0 process: exited -> running', '#2 was refused'] }), 80);
    expect(lines.slice(3, 6)).toEqual([
      'changed   since it was last seen:',
      '          - step 1: tikv-0 process: exited -> running',
      '          - #2 was refused',
    ]);
    expect(card(CARD, 80).join('\n')).not.toContain('changed');
  });

  it('shows every command that a step would run, each step with its own ruling and way back, and who wrote it', () => {
    const { proposal, ruling } = CARD.status.pending;
    const remote: Step = {
      ...STEP,
      call: { kind: 'shell', host: 'lab', command: "sh -c 'labctl stop tikv-1; labctl start tikv-1'" },
      inverse: { kind: 'irreversible', why: 'nobody said how this call is taken back' },
    };
    const view = cardWith({
      proposal: { ...proposal, number: 2, by: 'ana', steps: [STEP, remote] },
      steps: [
        { commands: ['labctl start tikv-0'], ruling: ruling! },
        {
          commands: ['labctl stop tikv-1', 'labctl start tikv-1'],
          ruling: { kind: 'forbidden', reason: 'tikv-0 is down', code: 'MEDIC_POLICY_QUORUM' },
        },
      ],
    });
    const lines = card(view, 120);
    expect(lines[1]).toBe('PROPOSAL #2  start the store tikv-0 (by ana)');
    const at = lines.findIndex((line) => line.startsWith('step 2'));
    expect(lines.slice(at, at + 5)).toEqual([
      "step 2    lab$ sh -c 'labctl stop tikv-1; labctl start tikv-1'",
      '            runs 1. labctl stop tikv-1',
      '            runs 2. labctl start tikv-1',
      '            forbidden MEDIC_POLICY_QUORUM: tikv-0 is down',
      '            undo: irreversible, nobody said how this call is taken back',
    ]);
  });

  it('is whole lines in a pipe', () => {
    expect(card(CARD)).toEqual(card(CARD, 160));
  });
});
