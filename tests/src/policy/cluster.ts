import type { Target } from '../../../src/domain/ids.js';
import type { Verdict } from '../../../src/domain/reading.js';
import type { Group, Member, QuorumPicture } from '../../../src/policy/quorum-picture.js';

export const NOW = '2026-01-01T00:00:10.000Z';
export const SEEN_AT = '2026-01-01T00:00:09.000Z';

export const member = (id: Target, alive: Verdict = 'yes', impaired: string | null = null): Member => ({
  id,
  alive,
  impaired,
});

export const group = (id: string, voters: readonly Target[], behind: readonly Target[] = []): Group => ({
  id,
  voters,
  need: Math.floor(voters.length / 2) + 1,
  behind,
});

const STORES = ['tikv-1', 'tikv-2', 'tikv-3', 'tikv-4'];
const PDS = ['pd-0', 'pd-1', 'pd-2'];

/** Four stores, three PDs, two regions, all in order; `changes` replaces members by name. */
export function cluster(changes: readonly Member[] = [], over: Partial<QuorumPicture> = {}): QuorumPicture {
  const members = [...STORES, ...PDS].map((id) => changes.find((change) => change.id === id) ?? member(id));
  return {
    observedAt: SEEN_AT,
    groups: [
      group('pd', PDS),
      group('region-14', ['tikv-1', 'tikv-2', 'tikv-3']),
      group('region-15', ['tikv-2', 'tikv-3', 'tikv-4']),
    ],
    members,
    gap: null,
    ...over,
  };
}
