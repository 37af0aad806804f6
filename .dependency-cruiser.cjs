/**
 * The arrows between the rooms. Type-only imports count as imports. `scripts/check.mjs` fails if a room's file was not analysed at all.
 *
 *   domain < policy < subjects (pure files) < workflows/contract < workflows
 *   src/{host,evidence,reasoner,knowledge,telemetry,config,notify} < activities < src/runtime < cli, console, scoring
 */
const PURE_SUBJECT = [
  '^subjects/protocol\\.ts$',
  '^subjects/[^/]+/(picture|vitals|placement|invariants|causes|actions|rules|profiles|services|prompt-context)\\.ts$',
  '^subjects/[^/]+/(command-rows|http-rows|subject)\\.ts$',
  '^subjects/[^/]+/(picture|invariants|causes|actions|rules)/',
];
const EDGE_ROOMS = '^src/(host|evidence|reasoner|knowledge|telemetry|config|notify)/';
const FRONT_ROOMS = '^src/(cli|console|scoring)/';
const LAB = '^subjects/[^/]+/lab/';
const LAB_CLIENT = [
  '^subjects/[^/]+/lab/labd/(client|launch|down|report|topology|process-look)\\.ts$',
  '^subjects/[^/]+/lab/store/(client|layout)\\.ts$',
];

/** From these files, to anything that none of the patterns allows. */
function only(name, comment, from, allowed) {
  return { name, comment, severity: 'error', from: { path: from }, to: { pathNot: allowed } };
}

/** From these files, never to those. */
function never(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

module.exports = {
  forbidden: [
    only('domain-stands-alone', 'The domain is pure and imports nothing.', '^src/domain/', ['^src/domain/']),
    only('policy-on-domain', 'The policy kernel is pure: domain, the shell parser, signatures.', '^src/policy/', [
      '^src/(domain|policy)/',
      '(^|/)node_modules/unbash/',
      '^(node:)?crypto$',
    ]),
    only('pure-subject-files', 'What a subject knows is data and pure functions.', PURE_SUBJECT, [
      '^src/(domain|policy)/',
      ...PURE_SUBJECT,
    ]),
    only(
      'workflows-are-sandboxed',
      'Workflow code is bundled and replayed: nothing but pure rooms and the SDK.',
      '^workflows/',
      ['^workflows/', '^src/domain/', ...PURE_SUBJECT, '(^|/)node_modules/@temporalio/(workflow|common)/'],
    ),
    never(
      'edges-below-activities',
      'Hosts, evidence, reasoners, ... are used by activities, not the other way round.',
      { path: EDGE_ROOMS },
      { path: '^(activities/|workflows/|chaos/|bench/|src/(runtime|cli|console|scoring)/)' },
    ),
    never(
      'subjects-below-activities',
      'A subject knows nothing of who watches it.',
      { path: '^subjects/' },
      {
        path: '^(activities/|workflows/|chaos/|bench/|src/(runtime|cli|console|scoring|reasoner|evidence|knowledge)/)',
      },
    ),
    never(
      'activities-below-runtime',
      'Activities take their effects as arguments.',
      { path: '^activities/' },
      { path: '^(chaos/|bench/|src/(runtime|cli|console|scoring)/)' },
    ),
    never(
      'activities-know-only-the-contract',
      'Of the workflows an activity knows what they ask and say.',
      { path: '^activities/' },
      { path: '^workflows/', pathNot: '^workflows/(activity-)?contract\\.ts$' },
    ),
    never(
      'runtime-below-front',
      'The runtime does not know its verbs.',
      { path: '^src/runtime/' },
      { path: FRONT_ROOMS },
    ),
    never(
      'chaos-apart',
      'Chaos breaks labs and knows nothing of the operator.',
      { path: '^chaos/' },
      { path: '^(activities/|workflows/|bench/|src/(?!domain/))' },
    ),
    never(
      'lab-through-its-client',
      'The lab is a system of its own: others talk to it, they do not link it.',
      { path: '.', pathNot: [LAB, '^tests/', '^bench/'] },
      { path: LAB, pathNot: LAB_CLIENT },
    ),
    never('nothing-imports-tests', 'Tests are leaves.', { pathNot: '^tests/' }, { path: '^tests/' }),
    never('no-circular', 'A cycle has no first thing to read.', {}, { circular: true }),
    never('resolvable', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    never(
      'no-development-package-in-the-product',
      'The product runs without devDependencies.',
      { path: '^(src|workflows|activities|subjects|chaos)/' },
      { dependencyTypes: ['npm-dev'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
