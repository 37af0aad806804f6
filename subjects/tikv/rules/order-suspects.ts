import type { Assessment, Facts, Suspect } from '../../protocol.js';
import { brakesOn, foreignSchedulers } from '../picture/orders.js';
import { leaderLossOf } from '../picture/trends.js';
import type { TikvPicture } from '../picture.js';
import { askPdForLimits, askPdForPaused, askPdForSchedulers } from '../services.js';
import { citationOf } from './answers.js';
import { open, refuted, supported, undecided } from './assessment.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

/** What somebody told PD to do or not to do; nothing is broken then, and PD's own answer says so. */
export function orderSuspects(): readonly TikvSuspect[] {
  return [
    {
      cause: { class: 'foreign-scheduler', target: 'pd' },
      claim: 'a scheduler that somebody added moves leaders',
      looks: [askPdForSchedulers()],
      assess: assessForeign,
    },
    {
      cause: { class: 'scheduling-stopped', target: 'pd' },
      claim: 'PD is told not to schedule',
      looks: [askPdForPaused(), askPdForLimits()],
      assess: assessStopped,
    },
  ];
}

function assessForeign(facts: TikvFacts): Assessment {
  const foreign = foreignSchedulers(facts.picture.vitals.scheduling);
  const ids = [facts.pictureId, citationOf(facts, askPdForSchedulers())];
  if (foreign === null) return untold(facts, 'PD did not tell its schedulers', "PD's `GET /pd/api/v1/schedulers`");
  if (foreign.length === 0) return refuted('PD has only its own schedulers', { against: ids });
  return supported(0.9, `PD has ${foreign.join(', ')}, which somebody added`, { for: ids });
}

function assessStopped(facts: TikvFacts): Assessment {
  const brakes = brakesOn(facts.picture.vitals.scheduling);
  const ids = [facts.pictureId, citationOf(facts, askPdForPaused()), citationOf(facts, askPdForLimits())];
  if (brakes === null)
    return untold(
      facts,
      'PD did not tell all of its pauses and limits',
      "PD's `GET /pd/api/v1/config/schedule` and `/schedulers?status=paused`",
    );
  if (brakes.length === 0) return refuted('nothing is paused and no limit is 0', { against: ids });
  return supported(0.9, brakes.join(', '), { for: ids });
}

/** Without PD's word an order is suspected only where leaders went away. */
function untold(facts: TikvFacts, because: string, decidedBy: string): Assessment {
  const moved = facts.picture.vitals.stores.filter(({ name }) => {
    const loss = leaderLossOf(facts.picture, name);
    return loss?.known && loss.value.isLoss;
  });
  if (moved.length === 0) return open(0.1, `${because}, and no leaders moved lately`);
  const names = moved.map(({ name }) => name).join(', ');
  return undecided(`${because}, and leaders left ${names}`, decidedBy, { for: [facts.pictureId] });
}
