import { basisHashOf } from '../../activities/basis-hash.js';
import { freshFacts, judgeInputFor, type RulingDeps } from '../../activities/ruling.js';
import { loadAgent } from '../../src/config/agent.js';
import { loadPolicy } from '../../src/config/policy.js';
import { type Basis, basisChanges, type Step } from '../../src/domain/proposal.js';
import { NOBODY } from '../../src/policy/authority.js';
import { judgeProposal } from '../../src/policy/judge.js';
import type { Reasoner } from '../../src/reasoner/reasoner.js';
import type { Running } from '../../src/runtime/bring-up.js';
import { contentFiles } from '../../src/runtime/content.js';
import { DEFAULT_WAITS } from '../../src/runtime/worker/settings.js';
import { createTikvRoom } from '../../src/runtime/worker/tikv-room.js';
import { createStoreClient } from '../../subjects/tikv/lab/store/client.js';
import { startLoad } from '../../subjects/tikv/lab/store/load.js';

const REGIONS = 24;
const OPS_PER_SECOND = 50;
const EVERY_MS = 1_000;
const TARGET = 'tikv-3';

/** A restart of one store of a healthy lab: two calls. */
const STEPS: readonly Step[] = ['stop', 'start'].map((verb) => ({
  describe: `${verb} the store ${TARGET}`,
  action: null,
  target: TARGET,
  call: { kind: 'shell', host: 'lab', command: `labctl ${verb} ${TARGET}` },
  inverse: { kind: 'none', why: 'the other half of the restart' },
  timeoutMs: 30_000,
}));

const NO_REASONER: Reasoner = { name: 'none', reason: () => Promise.reject(new Error('nobody thinks here')) };

export interface BasisResult {
  readonly minutes: number;
  readonly opsPerSecond: number;
  readonly requests: number;
  readonly rulings: number;
  readonly hashes: number;
  /** What a person would have been asked again about, against the first ruling; in how many rulings. */
  readonly changes: Readonly<Record<string, number>>;
  readonly holds: boolean;
}

/** The basis of one proposal, computed again and again while a healthy lab is busy. */
export async function busyBasis({ labDir, lab }: Running, minutes: number): Promise<BasisResult> {
  const settings = { labDir, profile: 'fast' as const, waits: DEFAULT_WAITS };
  const { room, close } = createTikvRoom(settings, { reasoner: NO_REASONER, now: Date.now });
  const pd = lab.topology().pd.map(({ clientUrl }) => clientUrl);
  const client = createStoreClient({ pd, attemptMs: 500, giveUpMs: 5_000 });
  const load = startLoad({ client, opsPerSecond: OPS_PER_SECOND, regions: REGIONS });
  const { policyFile, agentFile } = contentFiles();
  const [policy, agent] = await Promise.all([loadPolicy(policyFile), loadAgent(agentFile)]);
  const deps: RulingDeps = {
    ...{ desk: { recentRuns: async () => 0 }, policy: async () => policy.policy, agent: async () => agent },
    ...{ authority: async () => NOBODY, now: Date.now },
    self: { paths: [], endpoints: [], programs: [], pids: [] },
  };
  const hashes = new Set<string>();
  const changes = new Map<string, number>();
  let first: Basis | undefined;
  let rulings = 0;
  const until = Date.now() + minutes * 60_000;
  while (Date.now() < until) {
    const began = Date.now();
    const facts = await freshFacts(room, Date.now);
    const cause = { class: 'process-frozen', target: TARGET };
    const ask = (step: Step) =>
      judgeInputFor(deps, room, { step, phase: 'proposing', cause, agent: agent.name, facts });
    const { basis } = judgeProposal(await Promise.all(STEPS.map(ask)));
    hashes.add(basisHashOf(basis));
    first ??= basis;
    for (const change of basisChanges(first, basis)) changes.set(change, (changes.get(change) ?? 0) + 1);
    rulings += 1;
    await new Promise((later) => setTimeout(later, Math.max(0, began + EVERY_MS - Date.now())));
  }
  const { ok } = await load.stop();
  client.close();
  await close();
  return {
    ...{ minutes, opsPerSecond: OPS_PER_SECOND, requests: ok, rulings, hashes: hashes.size },
    changes: Object.fromEntries(changes),
    holds: hashes.size === 1 && rulings > 0,
  };
}
