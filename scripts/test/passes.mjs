/**
 * Tests that run a whole lab or a whole Medic. They keep real time tables (an election every half second), so they run
 * one after the other, and what runs beside them comes after them in all things.
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

/** Tests with short time-outs of their own, or parts that hold leases and beat: two files at a time, and nothing else. */
const TIMED = [
  'tests/activities/',
  'tests/scripts/(?!check/)',
  'tests/src/(host|notify|telemetry)/',
  'tests/src/runtime/(?!whatif/|process/orphans)',
  'tests/subjects/tikv/observe/',
  'tests/subjects/tikv/lab/(labd/(?!whole-lab)|store/(?!(node-kill|store)\\.test))',
  'tests/workflows/(desk|maintenance|notice|outage|reset|thinking|upgrade|verbs|ticket/(act|approval|ends|people|proof|runs))\\.test',
];

/** What runs on leftovers may take its time. */
const BESIDE_TIMEOUT_MS = '180000';

/**
 * The runs of jest, one after the other; with arguments of a person there is one, exactly as asked.
 *
 * @returns `args`: jest's arguments; `beside`: those of a second jest of lower priority, at the same time, with all the
 *   other tests: they compute, or wait patiently
 */
export function passesFor(asked) {
  if (asked.length > 0) return [{ args: asked }];
  return [
    { args: ['--testPathPatterns', ...TIMED] },
    {
      args: ['--runInBand', '--testPathPatterns', ...LIVE],
      beside: [
        ...['--testTimeout', BESIDE_TIMEOUT_MS],
        ...['--testPathIgnorePatterns', '/node_modules/', ...LIVE, ...TIMED],
      ],
    },
  ];
}
