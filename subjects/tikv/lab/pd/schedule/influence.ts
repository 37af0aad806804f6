import type { RegionReport } from '../model.js';
import type { Draft, Operator } from './operator.js';
import { isFinished, type Step } from './step.js';
import { knownSize } from './survey.js';

/** What operators that run will still do to a store (PD: `operator.StoreInfluence`). Sizes in MiB. */
export interface Influence {
  readonly leaders: number;
  readonly sizeMib: number;
}

const NONE: Influence = { leaders: 0, sizeMib: 0 };

/** The influence of what is still to be done, by store. */
export class Influences {
  readonly #byStore = new Map<number, Influence>();

  of(storeId: number): Influence {
    return this.#byStore.get(storeId) ?? NONE;
  }

  /** Takes an operator's open steps into account. */
  addOperator({ steps, currentStep }: Operator, report: RegionReport): void {
    for (const step of steps.slice(currentStep)) if (!isFinished(step, report)) this.#addStep(step, report);
  }

  addDraft({ steps, report }: Draft): void {
    for (const step of steps) this.#addStep(step, report);
  }

  #addStep(step: Step, report: RegionReport): void {
    if (step.kind === 'transfer-leader') {
      this.#add(step.from, { leaders: -1, sizeMib: 0 });
      this.#add(step.to, { leaders: 1, sizeMib: 0 });
    }
    if (step.kind === 'add-learner') this.#add(step.storeId, { leaders: 0, sizeMib: knownSize(report) });
    if (step.kind === 'remove-peer') this.#add(step.storeId, { leaders: 0, sizeMib: -knownSize(report) });
  }

  #add(storeId: number, { leaders, sizeMib }: Influence): void {
    const known = this.of(storeId);
    this.#byStore.set(storeId, { leaders: known.leaders + leaders, sizeMib: known.sizeMib + sizeMib });
  }
}
