import { NOT_COVERED, type Reason } from './not-covered.js';
import type { Recording, Scenario } from './recordings.js';

/** 1: the spine that Medic itself stands on. 2: every other answer that is compared. 3: answers that are not. */
export type Tier = 1 | 2 | 3;

/** The scenarios in which nothing but the cluster's own state can differ, so that values are compared, too. */
const SPINE_SCENARIOS: readonly Scenario[] = [
  'not-bootstrapped',
  'healthy',
  'healthy-follower',
  'store-silent',
  'pd-leader-killed',
];

/** Members, stores, regions, settings and schedulers as they are read all the time, metrics, and etcd's own paths. */
const SPINE_ROUTES: readonly RegExp[] = [
  /^\/(health|livez|readyz|version|metrics)$/,
  /^\/pd\/(health|ping)$/,
  /^\/pd\/api\/v1\/(members|leader|health|ping|status|version)$/,
  /^\/pd\/api\/v1\/(stores|store\/[^/]+|stats\/region)$/,
  /^\/pd\/api\/v1\/(regions|regions\/count|region\/id\/[^/]+|regions\/store\/[^/]+)$/,
  /^\/pd\/api\/v1\/regions\/check\/(miss|down|pending)-peer$/,
  /^\/pd\/api\/v1\/(config|config\/schedule|config\/replicate|schedulers|operators)$/,
  /^\/pd\/api\/v2\/ready$/,
];

/** The tier of a recorded answer. */
export function tierOf({ name, scenario, request }: Recording): Tier {
  if (reasonOf(name) !== undefined) return 3;
  const path = request.path.split('?')[0] ?? '';
  const isSpine = request.method === 'GET' && SPINE_ROUTES.some((route) => route.test(path));
  return isSpine && SPINE_SCENARIOS.includes(scenario) ? 1 : 2;
}

/** Why an answer is in tier 3. */
export function reasonOf(name: string): Reason | undefined {
  const reasons = Object.keys(NOT_COVERED) as Reason[];
  return reasons.find((reason) => (NOT_COVERED[reason] as readonly string[]).includes(name));
}
