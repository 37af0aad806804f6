/**
 * Tests that run a whole lab or a whole Medic. They keep real time tables (an election every half second), so each has the machine
 * to itself; everything else runs two files at a time.
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

/** jest's arguments for each pass; with arguments of a person there is one pass, exactly as asked. */
export function passesFor(asked) {
  if (asked.length > 0) return [asked];
  return [
    ['--testPathIgnorePatterns', '/node_modules/', ...LIVE],
    ['--runInBand', '--testPathPatterns', ...LIVE],
  ];
}
