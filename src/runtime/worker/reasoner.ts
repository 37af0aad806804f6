import type { Subject } from '../../../subjects/protocol.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { RULES_VERSION } from '../../../subjects/tikv/rules.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { MedicError } from '../../domain/errors.js';
import type { TicketId } from '../../domain/ids.js';
import type { Archive } from '../../evidence/archive.js';
import type { Reasoner } from '../../reasoner/reasoner.js';
import { createRecordedReasoner } from '../../reasoner/recorded.js';
import { createRulesReasoner } from '../../reasoner/rules.js';
import { parseHistory } from '../history.js';
import { recordedThoughts } from '../recorded-thoughts.js';
import { createLiveClaude, type LiveClaudeDeps } from './claude.js';
import type { WorkerSettings } from './settings.js';

/** The rules of TiKV as a reasoner. `subject`: as it is cared for here. */
export const tikvRules = (subject: Subject<TikvPicture> = TIKV): Reasoner =>
  createRulesReasoner({ rules: subject.rules, invariants: subject.invariants, version: RULES_VERSION });

export type ReasonerDeps = Omit<LiveClaudeDeps, 'model' | 'subject' | 'rules'> & {
  readonly archive: Archive;
  readonly subject: Subject<TikvPicture>;
};

/**
 * The reasoner that the settings ask for. Throws `MEDIC_TICKET_UNKNOWN` when the recording is not archived, and
 * `MEDIC_MODEL_KEY_MISSING` when a model is asked for and there is no key for it.
 */
export async function chooseReasoner(asked: WorkerSettings['reasoner'], deps: ReasonerDeps): Promise<Reasoner> {
  switch (asked.kind) {
    case 'rules':
      return tikvRules(deps.subject);
    case 'claude':
      return createLiveClaude({ ...deps, model: asked.model ?? null, rules: tikvRules(deps.subject) });
    case 'recorded': {
      const archived = await deps.archive.load(asked.ticket as TicketId);
      if (!archived?.history)
        throw new MedicError('MEDIC_TICKET_UNKNOWN', `${asked.ticket} is not archived with its history`);
      return createRecordedReasoner(recordedThoughts(parseHistory(archived.history, asked.ticket)));
    }
  }
}
