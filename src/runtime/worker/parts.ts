import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createAct } from '../../../activities/act.js';
import { createAuthorise } from '../../../activities/authorise.js';
import { createBudget } from '../../../activities/budget.js';
import { createDeliver } from '../../../activities/deliver.js';
import { createDeskwork } from '../../../activities/deskwork.js';
import { beating } from '../../../activities/heartbeats.js';
import { createJudge } from '../../../activities/judge.js';
import { createLook } from '../../../activities/look.js';
import type { Rooms } from '../../../activities/room.js';
import { rulesOf } from '../../../activities/rules-of.js';
import type { RulingDeps } from '../../../activities/ruling.js';
import { createSample } from '../../../activities/sample.js';
import { createSettle } from '../../../activities/settle.js';
import { createTargets } from '../../../activities/targets.js';
import { createThink } from '../../../activities/think.js';
import { createWatch } from '../../../activities/watch.js';
import type {
  ActActivities,
  AuthoriseActivities,
  BudgetActivities,
  DeliverActivities,
  DeskworkActivities,
  JudgeActivities,
  LookActivities,
  ThinkActivities,
  WatchActivities,
} from '../../../workflows/activity-contract.js';
import { type DeskPort, queues } from '../../../workflows/contract.js';
import { loadAgent } from '../../config/agent.js';
import { loadMedic, type MedicConfig } from '../../config/medic.js';
import { readSecret } from '../../config/secret-source.js';
import { instant } from '../../domain/ids.js';
import type { Archive } from '../../evidence/archive.js';
import type { EvidenceStore } from '../../evidence/store.js';
import { createHttpJournal } from '../../host/http-journal.js';
import { judgeLook } from '../../policy/judge.js';
import type { SelfScope } from '../../policy/rows/self.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { fetchHistoryText } from '../history.js';
import { createOutbox } from '../outbox.js';
import type { WorkerSettings } from './settings.js';
import { policyOf } from './subject-policy.js';

export interface PartsDeps {
  readonly settings: WorkerSettings;
  readonly client: Client;
  readonly desk: DeskPort;
  readonly rooms: Rooms;
  readonly evidence: EvidenceStore;
  readonly archive: Archive;
  readonly metrics: Metrics;
  /** The medic.yaml in force: who is to be told, and how long people are waited for. */
  readonly medic: () => Promise<MedicConfig>;
  readonly secrets: readonly string[];
  readonly log: Logger;
  readonly now: () => number;
}

export type MainActivities = DeskworkActivities &
  BudgetActivities &
  DeliverActivities &
  LookActivities &
  ThinkActivities &
  JudgeActivities &
  AuthoriseActivities &
  ActActivities;

/** All activities of the main queue, with their effects. */
export function mainActivities(deps: PartsDeps): MainActivities {
  const { settings, client, desk, rooms, evidence, archive, metrics, log, now } = deps;
  const targets = async () => (await deps.medic()).notify;
  const outbox = createOutbox({ client, taskQueue: queues(settings.taskQueue).main, targets });
  const self = selfScope(settings);
  const ruling: RulingDeps = {
    desk,
    self,
    now,
    policy: (subject) => policyOf(subject, settings),
    agent: () => loadAgent(settings.agentFile),
    authority: async () => (await loadMedic(settings.configFile)).authority,
  };
  const journalDir = join(settings.home, 'journal');
  const httpJournal = createHttpJournal({ dir: journalDir, now });
  return {
    ...createDeskwork({
      rooms,
      desk,
      archive,
      now,
      admission: async (subject) => {
        const [policy, agent] = await Promise.all([policyOf(subject, settings), loadAgent(settings.agentFile)]);
        return { environment: policy.environment, agent: agent.name, limits: agent.limits };
      },
      waits: async () => (await deps.medic()).waits,
      history: (workflowId, run) => fetchHistoryText(client, workflowId, run),
      tell: async ({ severity = 'medium', ...notice }) => {
        log.info({ ticket: notice.ticket, kind: notice.kind }, notice.text);
        await outbox.leave({ ...notice, severity, at: instant(now()) });
      },
    }),
    ...createBudget({
      tell: async ({ kind, text, event }) => {
        log.warn({ budget: kind }, text);
        const severity = kind === 'warning' ? 'medium' : 'high';
        await outbox.leave({ event, kind: 'budget', at: instant(now()), ticket: null, severity, text });
      },
    }),
    // Not those that are kept: what was left for somebody waits until the file can be read again.
    ...createDeliver({
      targets: async () => (await loadMedic(settings.configFile)).notify,
      secret: (source) => readSecret(source, process.env),
      now,
    }),
    ...beating({
      ...createLook({
        rooms,
        evidence,
        secrets: deps.secrets,
        now,
        refuses: (room, call) => {
          const verdict = judgeLook(call, rulesOf(room, self));
          return verdict.kind === 'read' ? null : `${verdict.code ?? verdict.kind}: ${verdict.reason}`;
        },
        onLook: () => metrics.looked(),
      }),
      ...createSample({ rooms, now }),
      ...createJudge({ ...ruling, rooms, onRuling: metrics.ruled }),
      ...createTargets({ rooms }),
      ...createSettle({ rooms, journalDir, httpJournal }),
    }),
    ...createThink({ rooms, evidence }),
    ...createAuthorise(ruling),
    ...createAct({ ...ruling, rooms, journalDir, httpJournal }),
  };
}

export const watchActivities = ({ rooms, desk, metrics, log, now }: PartsDeps): WatchActivities =>
  createWatch({
    rooms,
    desk,
    now,
    onSample: (subject, at, reported) => {
      metrics.observed({ subject, at });
      if (reported) metrics.reported();
    },
    warn: (message, fields) => log.warn(fields, message),
  });

/** What no command may touch: Medic's own files, ports, programs and this process. */
const selfScope = ({ ownPaths, address, metricsPort }: WorkerSettings): SelfScope => ({
  paths: ownPaths,
  endpoints: [address, `127.0.0.1:${metricsPort}`],
  programs: ['medic', 'temporal', 'labd'],
  pids: [process.pid, process.ppid],
});
