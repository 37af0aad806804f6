import { describe, expect, it } from '@jest/globals';
import { editPlan } from '../../../src/cli/amend.js';
import { editText } from '../../../src/cli/editor.js';
import { PROPOSAL } from '../../support/killed-store.js';

/** An editor in which a person makes one change after the other. */
function editor(...changes: ((text: string) => string)[]) {
  const offered: string[] = [];
  return {
    offered,
    edit: async (text: string) => {
      offered.push(text);
      return (changes.shift() ?? ((same) => same))(text);
    },
  };
}

describe('the plan in the editor', () => {
  it('is the present one, and sends nothing when it is left as it is', async () => {
    const { edit, offered } = editor();
    expect(await editPlan(PROPOSAL, edit)).toBeNull();
    expect(offered[0]).toContain('action: start-store');
  });

  it('is taken as it was changed', async () => {
    const { edit } = editor((text) => text.replace('start-store', 'resume-process'));
    expect(await editPlan(PROPOSAL, edit)).toEqual({
      title: 'start the store tikv-0',
      steps: [{ kind: 'action', action: 'resume-process', target: 'tikv-0' }],
    });
  });

  it('is offered again with its mistake, and nothing of it is lost', async () => {
    const { edit, offered } = editor(
      (text) => text.replace('- action:', '- acton:'),
      (text) => text.replace('- acton:', '- action:'),
    );
    expect(await editPlan(PROPOSAL, edit)).toMatchObject({ steps: [{ action: 'start-store' }] });
    expect(offered[1]).toMatch(/^#! .*`acton` is not a setting of a step/m);
  });

  it('is given up with its mistake when it is left with it', async () => {
    const { edit } = editor((text) => text.replace('- action:', '- acton:'));
    await expect(editPlan(PROPOSAL, edit)).rejects.toMatchObject({ code: 'MEDIC_CONFIG_UNKNOWN_KEY' });
  });
});

describe('the editor', () => {
  it('is the one of EDITOR with its options, and what it saved is read', async () => {
    const env = { EDITOR: "sed -i -e 's/one/two/'" };
    expect(await editText({ name: 'plan.yaml', text: 'one\n', env })).toBe('two\n');
  });

  it('that fails sends nothing', async () => {
    await expect(editText({ name: 'plan.yaml', text: '', env: { EDITOR: 'false' } })).rejects.toMatchObject({
      code: 'MEDIC_EDITOR_FAILED',
      message: 'false: exit 1',
    });
  });
});
