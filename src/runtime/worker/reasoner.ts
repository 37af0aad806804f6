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
import type { WorkerSettings } from './settings.js';

/** The reasoner that the settings ask for. Throws `MEDIC_TICKET_UNKNOWN` when the recording is not archived. */
export async function chooseReasoner(asked: WorkerSettings['reasoner'], archive: Archive): Promise<Reasoner> {
  switch (asked.kind) {
    case 'rules':
      return createRulesReasoner({ rules: TIKV.rules, invariants: TIKV.invariants, version: RULES_VERSION });
    case 'recorded': {
      const archived = await archive.load(asked.ticket as TicketId);
      if (!archived?.history)
        throw new MedicError('MEDIC_TICKET_UNKNOWN', `${asked.ticket} is not archived with its history`);
      return createRecordedReasoner(recordedThoughts(parseHistory(archived.history, asked.ticket)));
    }
  }
}
