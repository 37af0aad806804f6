import type { Assessment, Cure, Facts, Suspect } from '../../protocol.js';
import { brakesIn, brakeWords, foreignSchedulers } from '../picture/orders.js';
import { isFreshlyUp, pdOpinionOf } from '../picture/pd-opinion.js';
import { leaderLossOf } from '../picture/trends.js';
import type { TikvPicture } from '../picture.js';
import { askPdForLimits, askPdForPaused, askPdForSchedulers } from '../services.js';
import { citationOf } from './answers.js';
import { open, refuted, supported, tooEarly, undecided } from './assessment.js';
import { brakeSteps, removals } from './order-cures.js';

type TikvFacts = Facts<TikvPicture>;
type TikvSuspect = Suspect<TikvPicture>;

/** What somebody told PD to do or not to do; nothing is broken then, and PD's own answer says so. */
export function orderSuspects(picture: TikvPicture): readonly TikvSuspect[] {
  const [foreign, brakes] = [cureOfForeign(picture), cureOfBrakes(picture)];
  return [
    {
      cause: { class: 'foreign-scheduler', target: 'cluster' },
      claim: 'a scheduler that somebody added moves leaders',
      looks: [askPdForSchedulers()],
      assess: assessForeign,
      ...(foreign ? { cure: foreign } : {}),
    },
    {
      cause: { class: 'scheduling-stopped', target: 'cluster' },
      claim: 'PD is told not to schedule',
      looks: [askPdForPaused(), askPdForLimits()],
      assess: assessStopped,
      ...(brakes ? { cure: brakes } : {}),
    },
  ];
}

/** What is paused or strangled beside it belongs to the same order: leaders would not come back. */
function cureOfForeign(picture: TikvPicture): Cure | null {
  const steps = removals(picture);
  const brakes = brakeSteps(picture);
  if (steps === null || brakes === null || steps.length === 0) return null;
  return {
    title: 'take away the schedulers that somebody added',
    wouldHaveRefuted: "an answer of PD that lists only PD's own schedulers",
    effect: 'PD no longer moves leaders or replicas because of them, and balances as it does by itself',
    risk: 'whoever added them for a purpose loses it; each can be added again, and the plan says how',
    steps: [...steps, ...brakes],
  };
}

function cureOfBrakes(picture: TikvPicture): Cure | null {
  const steps = brakeSteps(picture);
  if (steps === null || steps.length === 0) return null;
  return {
    title: 'let PD schedule again',
    wouldHaveRefuted: 'an answer of PD in which nothing is paused and no limit keeps it from moving anything',
    effect: 'PD moves leaders and replicas again where its rules ask for it',
    risk: 'whoever stopped it for a purpose loses that; old values of limits stand in the plan',
    steps,
  };
}

function assessForeign(facts: TikvFacts): Assessment {
  const foreign = foreignSchedulers(facts.picture.vitals.scheduling);
  const ids = [facts.pictureId, citationOf(facts, askPdForSchedulers())];
  if (foreign === null) return untold(facts, 'PD did not tell its schedulers', "PD's `GET /pd/api/v1/schedulers`");
  if (foreign.length === 0) return refuted('PD has only its own schedulers', { against: ids });
  const words = `PD has ${foreign.join(', ')}, which somebody added`;
  return waitsForStores(facts, words) ?? supported(0.9, words, { for: ids });
}

function assessStopped(facts: TikvFacts): Assessment {
  const brakes = brakesIn(facts.picture);
  const ids = [facts.pictureId, citationOf(facts, askPdForPaused()), citationOf(facts, askPdForLimits())];
  if (brakes === null)
    return untold(
      facts,
      'PD did not tell all of its pauses and limits',
      "PD's `GET /pd/api/v1/config/schedule` and `/schedulers?status=paused`",
    );
  if (brakes.length === 0) return refuted('nothing is paused and no limit keeps PD from moving', { against: ids });
  const words = brakes.map(brakeWords).join(', ');
  const isBesides = (foreignSchedulers(facts.picture.vitals.scheduling) ?? []).length > 0;
  return waitsForStores(facts, words) ?? supported(isBesides ? BESIDES : 0.9, words, { for: ids });
}

/** A pause beside an added scheduler is no rival of it. */
const BESIDES = 0.6;

/** What is dead or silent comes first: replicas and leaders are moved only among stores that are well. */
function waitsForStores({ picture }: TikvFacts, words: string): Assessment | null {
  const missing = picture.vitals.stores.filter((store) => {
    const runs = store.witness.known && store.witness.value.state === 'running';
    return !runs || !isFreshlyUp(picture, pdOpinionOf(picture, store));
  });
  if (missing.length === 0) return null;
  return tooEarly(0.5, `${words}; first ${missing.map(({ name }) => name).join(', ')} must be well`);
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
