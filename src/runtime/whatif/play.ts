import type { Decision, TicketStatus } from '../../../workflows/contract.js';
import { MESSAGES, QUERIES } from '../../../workflows/contract.js';
import { MedicError } from '../../domain/errors.js';
import type { TrailEvent } from '../../domain/trail.js';
import type { Job, Sandbox } from './sandbox.js';
import { decoded, type HistoryEvent, type Outcome, outcomeOf, type Script, type Task } from './script.js';
import { type PendingActivity, payloadOf, type Resolution, Stage, signalJob, updateJob } from './stage.js';

/** Where the run first went another way than the record, or was made to. */
export interface Divergence {
  readonly turn: number;
  /** `what it thinks`, `the ruling on #1`, `the answer to #1` */
  readonly what: string;
  readonly recorded: string;
  readonly now: string;
}

/** An activity that the run waits for. */
export interface Asked {
  readonly name: string;
  readonly input: unknown;
  readonly turn: number;
  /** ms since the epoch */
  readonly at: number;
  /** What became of it in the record, at this very place; `null`: the run has left the record. */
  readonly recorded: Outcome | null;
}

export type Reply =
  | { readonly kind: 'resolved'; readonly resolution: Resolution; readonly divergence?: Divergence }
  /** Nothing was recorded that could answer it. */
  | { readonly kind: 'missing'; readonly what: string };

/** Who answers the activities of the run. Before its turn the record does; then this is asked for every one. */
export interface Answers {
  reply(asked: Asked): Promise<Reply>;
  /** What the record answers before the turn, where evidence was replaced. */
  before(asked: Asked): Resolution;
}

export interface PlayOptions {
  readonly script: Script;
  readonly sandbox: Sandbox;
  /** From its opening on the run is asked, not told. */
  readonly turn: number;
  readonly answers: Answers;
  /** Answers every proposal that waits; `null`: as recorded. */
  readonly answer: Decision['answer'] | null;
  readonly tell: (event: TrailEvent) => void;
}

export interface Played {
  readonly divergence: Divergence | null;
  /** `closed`: the ticket is. `record-ends`: it was still open when it was recorded. `stopped`: it could not go on. */
  readonly end: 'closed' | 'record-ends' | 'stopped';
  /** Why it went no further; `null`: the ticket is closed. */
  readonly stopped: string | null;
}

/** A ticket that asks for more than this goes round in circles. */
const MOST_TASKS = 2_000;
/** What one activity takes where the record has no time of it. */
const STEP_MS = 10;

/**
 * Runs a recorded ticket again: task by task as recorded up to the turn, and from there on with other answers. It stays on
 * the record for as long as the workflow asks for what it asked for then; after that, activities are answered one at
 * a time, timers fire when they are due, and nobody says anything any more.
 */
export async function play(options: PlayOptions): Promise<Played> {
  return new Playing(options).run();
}

class Playing {
  private readonly stage: Stage;
  private turn = 0;
  private at: number;
  private length = 0;
  private divergence: Divergence | null = null;
  private missing: string[] = [];
  /** Number of the proposal that waits for an answer. */
  private waiting: number | null = null;
  private isHandedOver = false;
  /** What follows is bookkeeping, and an archive holds no more: it was written in the middle of it. */
  private isClosed = false;

  constructor(private readonly options: PlayOptions) {
    this.stage = new Stage(options.sandbox);
    this.at = options.script.startedAt;
  }

  async run(): Promise<Played> {
    const left = await this.followRecord();
    if (this.turn < this.options.turn && !this.isOpening()) throw this.noSuchTurn();
    if (this.missing.length > 0) return this.stop(this.missingWords());
    if (this.isClosed) return this.close();
    if (left) return this.goOn();
    return { divergence: this.divergence, end: 'record-ends', stopped: 'the record ends here' };
  }

  private close(): Played {
    return { divergence: this.divergence, end: 'closed', stopped: null };
  }

  private stop(stopped: string): Played {
    return { divergence: this.divergence, end: 'stopped', stopped };
  }

  /** @returns whether the record was left */
  private async followRecord(): Promise<boolean> {
    const { tasks } = this.options.script;
    for (const [index, task] of tasks.entries()) {
      const jobs = await this.jobsOf(task);
      if (this.missing.length > 0) return true;
      const { isAsRecorded } = await this.perform(jobs, task);
      if (!isAsRecorded) return this.leaveRecord(task);
      this.answerIfNobodyDid(tasks.slice(index + 1));
      if (this.divergence) return true;
    }
    return false;
  }

  private leaveRecord({ historyLength, asked }: Task): true {
    if (!this.isLive())
      throw new MedicError(
        'MEDIC_REPLAY_DIVERGED',
        `the present code asks for something else than it did at event ${historyLength}`,
      );
    this.divergence ??= {
      turn: this.turn,
      what: 'what it does next',
      recorded: inWords(asked.flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [])),
      now: inWords([...this.stage.activities.values()].map(({ name }) => name)),
    };
    return true;
  }

  private async jobsOf(task: Task): Promise<Job[]> {
    const jobs: Job[] = task.patches.map((patchId) => ({ notifyHasPatch: { patchId } }));
    for (const event of task.wokenBy.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal)) {
      const signal = event.workflowExecutionSignaledEventAttributes;
      jobs.push(signalJob(signal?.signalName ?? '', this.substituted(signal?.signalName, signal?.input?.payloads)));
    }
    for (const accepted of task.updates)
      jobs.push(updateJob({ ...accepted, args: this.substituted(accepted.name, accepted.args) }));
    for (const event of task.wokenBy) jobs.push(...(await this.heard(event)));
    return jobs;
  }

  private async heard(event: HistoryEvent): Promise<Job[]> {
    const { stage } = this;
    const outcome = outcomeOf(event);
    if (outcome) {
      const activity = [...stage.activities.values()].find(({ recordedAs }) => recordedAs === outcome.of);
      return activity ? this.resolve(activity, outcome) : [];
    }
    const fired = Number(event.timerFiredEventAttributes?.startedEventId ?? 0);
    const timer = [...stage.timers.values()].find(({ recordedAs }) => recordedAs === fired);
    if (timer) return [stage.fireTimer(timer)];
    const failed = event.signalExternalWorkflowExecutionFailedEventAttributes;
    const signalled = Number((event.externalWorkflowExecutionSignaledEventAttributes ?? failed)?.initiatedEventId ?? 0);
    const signal = [...stage.signals.values()].find(({ recordedAs }) => recordedAs === signalled);
    if (signal) return [stage.resolveSignal(signal, failed ? 'not found' : null)];
    return event.workflowExecutionCancelRequestedEventAttributes ? [{ cancelWorkflow: {} }] : [];
  }

  private async resolve(activity: PendingActivity, recorded: Outcome | null): Promise<Job[]> {
    const { answers } = this.options;
    const asked: Asked = { name: activity.name, input: activity.input, turn: this.turn, at: this.at, recorded };
    if (!this.isLive()) return [this.stage.resolveActivity(activity, answers.before(asked))];
    const reply = await answers.reply(asked);
    if (reply.kind === 'missing') {
      this.missing.push(reply.what);
      return [];
    }
    this.divergence ??= reply.divergence ?? null;
    return [this.stage.resolveActivity(activity, reply.resolution)];
  }

  private async perform(jobs: readonly Job[], task: Task) {
    this.at = task.at;
    this.length = task.historyLength;
    const moment = { at: task.at, historyLength: task.historyLength, isReplaying: true };
    const performed = await this.stage.perform(jobs, moment, task.asked);
    this.hear(performed.events);
    return performed;
  }

  private hear(events: readonly TrailEvent[]): void {
    for (const event of events) {
      if (event.type === 'turn') this.turn = event.turn;
      if (event.type === 'asked') this.waiting = event.proposal;
      if (event.type === 'closed') this.isClosed = true;
      if (event.type === 'decided') this.waiting = null;
      if (event.type === 'moved') this.isHandedOver = event.to === 'escalated';
      if (event.type === 'moved' && event.from === 'awaiting-approval') this.waiting = null;
      this.options.tell(event);
    }
  }

  /** The turn is counted only once it is opened, which is an activity, too. */
  private isLive = (): boolean => this.turn >= this.options.turn || this.isOpening();

  private isOpening = (): boolean =>
    [...this.stage.activities.values()].some(
      ({ name, input }) => name === 'openTurn' && (input as { turn: number }).turn >= this.options.turn,
    );

  /** An answer that somebody gave is replaced where another one is wanted. */
  private substituted<T>(name: string | null | undefined, args: readonly T[] | null | undefined) {
    const given = args ?? [];
    const { answer } = this.options;
    if (name !== MESSAGES.decide || answer === null || !this.isLive()) return given;
    const decision = decoded<Decision>(given[0] as never);
    if (!decision || decision.answer === answer) return given;
    this.divergence ??= {
      turn: this.turn,
      what: `the answer to #${this.waiting}`,
      recorded: `${decision.answer} by ${decision.by}`,
      now: answer,
    };
    return [payloadOf({ ...decision, ...saidHere(answer) }) as T];
  }

  /** In the record nobody answers what waits now, and here somebody does. */
  private answerIfNobodyDid(later: readonly Task[]): void {
    const { answer } = this.options;
    if (answer === null || this.waiting === null || !this.isLive() || later.some(decides)) return;
    this.divergence ??= {
      turn: this.turn,
      what: `the answer to #${this.waiting}`,
      recorded: 'nobody answered',
      now: answer,
    };
  }

  /** Off the record. */
  private async goOn(): Promise<Played> {
    for (let tasks = 0; tasks < MOST_TASKS; tasks += 1) {
      if (this.isClosed) return this.close();
      const jobs = await this.nextJobs();
      if (typeof jobs === 'string') return this.stop(jobs);
      this.length += 3;
      const moment = { at: this.at, historyLength: this.length, isReplaying: false };
      this.hear((await this.stage.perform(jobs, moment, null)).events);
    }
    return this.stop(`it went on for more than ${MOST_TASKS} tasks`);
  }

  /** Or why there is none. */
  private async nextJobs(): Promise<readonly Job[] | string> {
    const { activities, signals, timers } = this.stage;
    this.at += STEP_MS;
    if (activities.size > 0) return this.resolveAll([...activities.values()]);
    const [signal] = signals.values();
    if (signal) return [this.stage.resolveSignal(signal, null)];
    if (this.waiting !== null) return this.decideNow();
    if (this.isHandedOver) return 'handed over to a person: what was said to it after that is not known here';
    const next = [...timers.values()].sort((a, b) => a.dueAt - b.dueAt)[0];
    if (!next) return 'it waits for something that nobody sends';
    this.at = Math.max(this.at, next.dueAt);
    return [this.stage.fireTimer(next)];
  }

  private async resolveAll(activities: readonly PendingActivity[]): Promise<readonly Job[] | string> {
    const jobs: Job[] = [];
    for (const activity of activities) jobs.push(...(await this.resolve(activity, null)));
    return this.missing.length > 0 ? this.missingWords() : jobs;
  }

  private async decideNow(): Promise<readonly Job[] | string> {
    const { answer, sandbox } = this.options;
    if (answer === null) return `#${this.waiting} waits for an answer: nothing recorded (say --approve or --deny)`;
    const { pending } = await sandbox.query<TicketStatus>(QUERIES.status);
    if (!pending) return 'nothing is pending any more';
    const decision: Decision = {
      proposal: pending.proposal.id,
      basisHash: pending.basisHash,
      ...saidHere(answer),
    };
    return [
      updateJob({ id: `whatif-${this.waiting}-${this.turn}`, name: MESSAGES.decide, args: [payloadOf(decision)] }),
    ];
  }

  private missingWords = (): string => `turn ${this.turn} asked for ${this.missing.join('; ')}: nothing recorded`;

  private noSuchTurn(): MedicError {
    const known = this.turn === 0 ? 'none' : Array.from({ length: this.turn }, (_, i) => i + 1).join(', ');
    return new MedicError('MEDIC_WHATIF_TURN', `there is no turn ${this.options.turn}; its turns are ${known}`);
  }
}

const STEPS: Readonly<Record<string, string>> = {
  openTurn: 'open another turn',
  lookAtPicture: 'look at the picture',
  look: 'look',
  think: 'think',
  judge: 'have the proposal ruled on',
  gate: 'ask for the right to act',
  act: 'act',
  sample: 'look whether it is proven',
  notify: 'tell a person',
};

/** What activities of these names do; nothing asked for is a wait. */
const inWords = (names: readonly string[]): string =>
  [...new Set(names.map((name) => STEPS[name] ?? name))].join(', ') || 'wait';

const decides = ({ updates, wokenBy }: Task): boolean =>
  updates.some(({ name }) => name === MESSAGES.decide) ||
  wokenBy.some((event) => event.workflowExecutionSignaledEventAttributes?.signalName === MESSAGES.decide);

const saidHere = (answer: Decision['answer']) => ({ answer, by: 'what-if', note: `what if it were ${SAID[answer]}` });

const SAID = { approve: 'approved', deny: 'denied' } as const;
