import type { RegionReport } from '../model.js';
import { checkerPause } from '../pauses.js';
import type { Command } from '../state.js';
import { checkJointState } from './checkers/joint-state.js';
import { checkRule } from './checkers/rule.js';
import { draftByHand, type HandWish } from './hand.js';
import { StoreLimits } from './limits.js';
import type { Operator } from './operator.js';
import { type Added, Operators } from './operators.js';
import type { Order } from './order.js';
import { knowsEnough } from './prepare.js';
import { Rests } from './rests.js';
import { type RunningScheduler, runningOf } from './running.js';
import type { ScheduleView } from './schedule-view.js';
import type { Round } from './scheduler.js';
import { EVICT_SLOW_STORE } from './schedulers/slow-store.js';
import { SlowStoreWatch } from './slow-store-watch.js';
import { type Scene, Survey } from './survey.js';
import { type ScheduleTimes, scheduleTimes } from './times.js';

export interface SchedulingOptions {
  /** The cluster as the leader sees it now. */
  readonly scene: () => Scene;
  /** An id for a new peer; null while none is reserved. */
  readonly peerId: () => number | null;
  /** In [0, 1). */
  readonly random: () => number;
  readonly send: (order: Order) => void;
  /** For the group's log; a lost one comes again with the next round. */
  readonly suggest: (command: Command) => void;
  /** An operator began or ended. */
  readonly onChange: (operator: Operator) => void;
}

/** PD's scheduling in the memory of one leader: checkers and schedulers make operators, heartbeats carry them on. */
export class Scheduling implements ScheduleView {
  readonly #options: SchedulingOptions;
  readonly #times: ScheduleTimes;
  readonly #limits: StoreLimits;
  readonly #operators: Operators;
  readonly #slowStore = new SlowStoreWatch();
  readonly #rests: Rests;
  readonly #sinceNs: bigint;
  #isPrepared = false;
  #leaders: ReadonlyMap<number, number> = new Map();
  /** Null once something changed that it does not show. */
  #survey: Survey | null = null;

  constructor(options: SchedulingOptions) {
    const { scene, send, onChange } = options;
    this.#options = options;
    this.#times = scheduleTimes(scene().times);
    this.#sinceNs = scene().nowNs;
    this.#rests = new Rests(this.#times);
    this.#limits = new StoreLimits({
      minuteMs: this.#times.limitMinuteMs,
      state: () => scene().state,
      nowMs: () => this.#nowMs(),
    });
    this.#operators = new Operators({
      times: this.#times,
      limits: this.#limits,
      region: (id) => scene().regions.get(id),
      isAlive: (storeId) => isAlive(this.#lately(), storeId),
      nowNs: () => scene().nowNs,
      send,
      onChange: (operator) => {
        this.#survey = null;
        onChange(operator);
      },
    });
  }

  get operators(): readonly Operator[] {
    return this.#operators.running;
  }

  get records(): readonly Operator[] {
    return this.#operators.records;
  }

  get prepared(): boolean {
    const { nowNs, regions, times } = this.#options.scene();
    const ledForMs = Number((nowNs - this.#sinceNs) / 1_000_000n);
    this.#isPrepared ||= knowsEnough(regions, { ledForMs, coldStartMs: times.coldStartMs });
    return this.#isPrepared;
  }

  /** A region's heartbeat was taken: its operator goes on; without one the region is checked. */
  hear(report: RegionReport): void {
    this.#operators.hear(report);
    if (this.#operators.has(report.region.id)) return;
    const round = this.#round(this.#lately());
    if (this.#acts(round.survey)) this.#check(round, report);
  }

  /** One round: what is late is told again, every region is checked, every scheduler asked. */
  tick(): void {
    this.#operators.push();
    const survey = this.#lookAround();
    if (!this.#acts(survey)) return;
    this.#watchSlowStore(survey);
    for (const report of survey.reports) this.#check(this.#round(survey), report);
    for (const scheduler of runningOf(survey.scene.state.schedulers)) this.#run(scheduler, survey);
    this.#leaders = new Map(survey.stores.map(({ id, totals }) => [id, totals.leaderCount]));
  }

  /** Starts what a person asks for; also while schedulers rest. */
  byHand(wish: HandWish): Added | 'not-built' {
    const draft = draftByHand(this.#round(this.#lookAround()), wish);
    return draft === null ? 'not-built' : this.#operators.add(draft);
  }

  /** `false` if the region has no operator. */
  cancel(regionId: number): boolean {
    return this.#operators.cancel(regionId, 'cancelled by admin');
  }

  #acts(survey: Survey): boolean {
    return this.prepared && !survey.isOn('halt-scheduling');
  }

  #check(round: Round, report: RegionReport): void {
    const { survey } = round;
    if (report.leader === null || this.#operators.has(report.region.id)) return;
    const joint = this.#isPaused(survey, checkerPause('joint-state')) ? null : checkJointState(round, report);
    if (joint !== null) return void this.#operators.add(joint);
    if (this.#isPaused(survey, checkerPause('rule'))) return;
    if (this.#operators.count('replica') >= survey.number('replica-schedule-limit')) return;
    const draft = checkRule(round, report);
    if (draft !== null) this.#operators.add(draft);
  }

  #run({ name, counts, rests, run }: RunningScheduler, survey: Survey): void {
    if (this.#isPaused(survey, name) || this.#operators.count(counts) >= survey.number(`${counts}-schedule-limit`))
      return;
    if (rests === 'when-idle' && this.#rests.isResting(name, this.#nowMs())) return;
    const added = run(this.#round(survey)).filter((draft) => this.#operators.add(draft) === 'added');
    this.#rests.note(name, { found: added.length > 0, nowMs: this.#nowMs() });
  }

  #watchSlowStore(survey: Survey): void {
    if (this.#isPaused(survey, EVICT_SLOW_STORE)) return;
    const command = this.#slowStore.look(survey, this.#times);
    if (command !== null) this.#options.suggest(command);
  }

  #lookAround(): Survey {
    this.#survey = new Survey(this.#options.scene());
    return this.#survey;
  }

  /** The last look at the cluster, at most one round old, unless an operator or the group's state changed since. */
  #lately(): Survey {
    const { state } = this.#options.scene();
    return this.#survey !== null && this.#survey.scene.state === state ? this.#survey : this.#lookAround();
  }

  #round(survey: Survey): Round {
    return {
      survey,
      influences: this.#operators.influences(),
      limits: this.#limits,
      leadersBefore: (id) => this.#leaders.get(id) ?? survey.store(id)?.totals.leaderCount ?? 0,
      isBusy: (regionId) => this.#operators.has(regionId),
      peerId: this.#options.peerId,
      random: this.#options.random,
    };
  }

  #isPaused({ scene }: Survey, name: string): boolean {
    return scene.pauses.at(name, scene.nowNs) !== null;
  }

  #nowMs(): number {
    return Number(this.#options.scene().nowNs / 1_000_000n);
  }
}

/** Can the store still take what a step brings? */
function isAlive(survey: Survey, storeId: number): boolean {
  const store = survey.store(storeId);
  return store !== undefined && store.meta.state !== 'Tombstone' && store.hearing !== 'down';
}
