import type { Load } from '../../../../../subjects/tikv/lab/store/load.js';
import type { KillRow } from './kill-rows.js';

export interface SamplerOptions {
  readonly pd: readonly string[];
  readonly load: Load;
  readonly stores: readonly { readonly name: string; readonly statusAddress: string; readonly address: string }[];
  readonly target: string;
}

/** Looks at a store from outside: PD's list, its status port, its peers' metrics, its clients. */
export interface Sampler {
  look(s: number): Promise<KillRow>;
  heartbeatAgeMs(): Promise<number>;
}

interface PdStore {
  store: { id: number; address: string; state_name: string };
  status: {
    leader_count?: number;
    pending_peer_count?: number;
    slow_score?: number;
    is_busy?: boolean;
    last_heartbeat_ts?: string;
  };
}

export function createSampler({ pd, load, stores, target }: SamplerOptions): Sampler {
  const self = stores.find(({ name }) => name === target)!;
  const peers = stores.filter(({ name }) => name !== target);
  let refusals = load.counters().failedAttempts.refused ?? 0;
  let failures: number | null = null;

  async function listed(): Promise<PdStore[]> {
    for (const url of pd) {
      const response = await fetch(`${url}/pd/api/v1/stores`, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
      if (response?.status === 200) return ((await response.json()) as { stores: PdStore[] }).stores;
    }
    throw new Error('no PD answered');
  }

  const ofTarget = (all: PdStore[]) => all.find(({ store }) => store.address === self.address)!;

  async function failuresOfPeers(id: number): Promise<number> {
    const texts = await Promise.all(peers.map((peer) => text(`http://${peer.statusAddress}/metrics`)));
    const line = new RegExp(
      `^tikv_server_report_failure_msg_total\\{type="unreachable",store_id="${id}"\\} (\\d+)$`,
      'm',
    );
    return texts.reduce((sum, metrics) => sum + Number(line.exec(metrics)?.[1] ?? 0), 0);
  }

  return {
    async look(s) {
      const [all, status] = await Promise.all([listed(), statusOf(`http://${self.statusAddress}/status`)]);
      const { store, status: stats } = ofTarget(all);
      const failuresNow = await failuresOfPeers(store.id);
      const refusalsNow = load.counters().failedAttempts.refused ?? 0;
      const row: KillRow = {
        s,
        state: store.state_name,
        leaders: stats.leader_count ?? 0,
        pending: stats.pending_peer_count ?? 0,
        slowScore: stats.slow_score ?? 1,
        isBusy: stats.is_busy ?? false,
        networkSlow: JSON.stringify(all).includes('network_slow_score'),
        status,
        clientRefused: refusalsNow > refusals,
        peersReport: failures !== null && failuresNow > failures,
      };
      refusals = refusalsNow;
      failures = failuresNow;
      return row;
    },
    async heartbeatAgeMs() {
      const at = ofTarget(await listed()).status.last_heartbeat_ts;
      return at === undefined ? Number.POSITIVE_INFINITY : Date.now() - Date.parse(at);
    },
  };
}

async function text(url: string): Promise<string> {
  return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).text();
}

async function statusOf(url: string): Promise<KillRow['status']> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(900) });
    return response.status === 200 ? 'ok' : 'other';
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return cause?.code === 'ECONNREFUSED' ? 'refused' : 'other';
  }
}
