import type { Invariant } from '../../protocol.js';
import { pdOpinionOf } from '../picture/pd-opinion.js';
import { isDrained, leaderLossOf, networkTroubleOf, serviceOf, slowRiseOf } from '../picture/trends.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkEach, type Finding, HOLDS, UNKNOWN } from './check.js';

/*
 * Trouble of one store that costs nobody an answer yet. Shown only. Scores count while they rise or stand: they outlive
 * what raised them by minutes.
 */

export const peersFast: Invariant<TikvPicture> = {
  name: 'peers-fast',
  title: 'no store finds the network to another one slow',
  use: 'evidence',
  check: (picture) =>
    checkEach('peers-fast', picture.vitals.stores, ({ name }) => {
      const trouble = networkTroubleOf(picture, name);
      if (!trouble.known) return UNKNOWN;
      const { about, isSlow } = trouble.value;
      if (!isSlow) return HOLDS;
      const scores = about.map(({ reporter, to }) => `${reporter} ${to}`).join(', ');
      return broken('medium', `the network to ${name} is slow by the scores of ${scores}`);
    }),
};

export const storeNotSlow: Invariant<TikvPicture> = {
  name: 'store-not-slow',
  title: 'no store reports itself slow',
  use: 'evidence',
  check: (picture) =>
    checkEach('store-not-slow', picture.vitals.stores, ({ name }) => {
      const rise = slowRiseOf(picture, name);
      if (!rise.known) return UNKNOWN;
      return rise.value
        ? broken('medium', `slow_score of ${name} rose from ${rise.value.from} to ${rise.value.to}`)
        : HOLDS;
    }),
};

export const leadersFast: Invariant<TikvPicture> = {
  name: 'leaders-fast',
  title: 'no store serves much slower than the others',
  use: 'evidence',
  check: (picture) =>
    checkEach('leaders-fast', picture.vitals.stores, ({ name }) => {
      const service = serviceOf(picture, name);
      if (!service) return UNKNOWN;
      if (!service.isSlow) return HOLDS;
      return broken('medium', `${name} serves in ${ms(service.p50Ms)}, the others in ${ms(service.othersMs)}`);
    }),
};

export const leadersStay: Invariant<TikvPicture> = {
  name: 'leaders-stay',
  title: 'no store that runs loses its leaders',
  use: 'evidence',
  check: (picture) =>
    checkEach('leaders-stay', picture.vitals.stores, (store): Finding => {
      const loss = leaderLossOf(picture, store.name);
      if (!loss?.known || pdOpinionOf(picture, store).kind !== 'listed') return UNKNOWN;
      if (!isDrained(picture, store.name)) return HOLDS;
      return broken(
        'medium',
        `${store.name} runs and lost its leaders: ${loss.value.most} a while ago, ${loss.value.now} now`,
      );
    }),
};

const ms = (value: number): string => `${Math.round(value)} ms`;
