import type { Rules } from '../../../src/policy/classify.js';
import type { CommandRow } from '../../../src/policy/row.js';

const labctl: CommandRow = {
  program: 'labctl',
  classify: ({ words }) => {
    const [, verb, node = ''] = words.map(({ text }) => text);
    if (verb === 'ps' || verb === 'inspect') return { kind: 'read' };
    if (verb !== 'start' && verb !== 'stop') return null;
    const takesAway = verb === 'stop' ? [node] : [];
    return {
      kind: 'mutate',
      influence: { touches: [node], takesAway },
      reversible: true,
      restorative: verb === 'start',
    };
  },
};

/** Rules of a small subject: `labctl`, one PD, and a Medic that lives in /home/m/.medic. */
export const RULES: Rules = {
  commandRows: [labctl],
  httpRows: [
    {
      api: 'pd',
      method: 'POST',
      path: /^\/pd\/api\/v1\/leader\/resign$/,
      classify: () => ({
        kind: 'mutate',
        influence: { touches: ['pd'], takesAway: [] },
        reversible: true,
        restorative: false,
      }),
    },
  ],
  self: {
    paths: ['/home/m/.medic', '/opt/medic/policies'],
    endpoints: ['127.0.0.1:7233', 'medic.example:8080'],
    programs: ['medic', 'temporal', 'labd'],
    pids: [4242],
  },
  endpoints: { '127.0.0.1:2379': 'pd' },
};
