/**
 * Tests that run a whole lab or a whole Medic. They keep real time tables (an election every half second), so each has the machine
 * to itself, but for what only computes; everything else runs two files at a time.
 */
const LIVE = [
  'tests/e2e/',
  'tests/chaos/tikv/',
  'tests/subjects/tikv/live-lab',
  'tests/subjects/tikv/lab/labd/whole-lab',
  'tests/subjects/tikv/lab/pd/processes',
  'tests/subjects/tikv/lab/store/(node-kill|store)\\.test',
  'tests/src/runtime/process/orphans',
  'tests/real-pd/',
];

/**
 * Tests that only compute, or start short programs that do, and wait for nobody: at the lowest priority they take what
 * the live ones leave over.
 */
const COMPUTING = [
  'tests/bench/',
  'tests/scripts/check/',
  'tests/src/(config|domain|evidence|policy|reasoner)/',
  'tests/src/runtime/whatif/',
  'tests/src/cli/(whatif|backtest|processes)\\.test',
  'tests/subjects/tikv/(?!live-lab)[\\w-]+\\.test',
  'tests/subjects/tikv/(rules|picture)/',
  'tests/subjects/tikv/lab/raft/(simulation|membership|election|replication|lease|change|log)\\.test',
  'tests/subjects/tikv/lab/pd/(schedule/|contract\\.test)',
];

/** What runs on leftovers may take its time. */
const BESIDE_TIMEOUT_MS = '180000';

/**
 * The runs of jest, one after the other; with arguments of a person there is one, exactly as asked.
 *
 * @returns `args`: jest's arguments; `beside`: those of a second jest at the lowest priority, at the same time
 */
export function passesFor(asked) {
  if (asked.length > 0) return [{ args: asked }];
  return [
    { args: ['--testPathIgnorePatterns', '/node_modules/', ...LIVE, ...COMPUTING] },
    {
      args: ['--runInBand', '--testPathPatterns', ...LIVE],
      beside: ['--runInBand', '--testTimeout', BESIDE_TIMEOUT_MS, '--testPathPatterns', ...COMPUTING],
    },
  ];
}
