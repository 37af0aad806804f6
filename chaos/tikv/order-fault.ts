import { randomUUID } from 'node:crypto';
import { MedicError } from '../../src/domain/errors.js';
import type { LabTopology } from '../../subjects/tikv/lab/labd/topology.js';
import { openOwnLab } from '../own-lab.js';
import type { ChaosLab, Fault, Injection, TargetWish } from '../protocol.js';
import { orderPd, type PdRequest } from './pd-api.js';

/** Orders to PD, and those that take them back, as JSON: everything that is needed to heal it later. */
export interface OrderDetail {
  readonly orders: readonly PdRequest[];
  readonly undo: readonly PdRequest[];
  /** The store that it is about, as PD knows it; `null`: the cluster. */
  readonly storeId: number | null;
}

/** What PD shows of the orders. */
export interface OrderSeen {
  /** They stand. */
  readonly stands: boolean;
  /** What they are for is to be seen; for most that is the order itself. */
  readonly hasEffect: boolean;
  readonly words: string;
}

/** A fault that is nothing but orders to PD: no process is touched. */
export interface OrderHarm extends Pick<Fault, 'name' | 'describe' | 'targets' | 'rightEnd' | 'wants'> {
  /** The harm is where PD moved them: it lasts until they have left again. Absent: it is the orders alone. */
  readonly moves?: 'leaders';
  plan(lab: ChaosLab, wish: TargetWish): Promise<{ readonly target: string } & OrderDetail>;
  look(topology: LabTopology, injection: Injection<OrderDetail>): Promise<OrderSeen>;
  readonly confirmWithinMs: number;
}

const LOOK_EVERY_MS = 200;

export function orderFault(harm: OrderHarm): Fault<OrderDetail> {
  const { name, describe, targets, rightEnd, wants } = harm;
  return {
    ...{ name, describe, targets, rightEnd, wants },
    supports: async () => ({ supported: true }),

    async inject({ lab, target: wish, record }) {
      const { target, ...detail } = await harm.plan(lab, wish);
      const injection: Injection<OrderDetail> = {
        id: `${name}-${randomUUID().slice(0, 8)}`,
        fault: name,
        target,
        labId: lab.labId,
        labDir: lab.lab.dir,
        at: new Date().toISOString(),
        detail,
      };
      record(injection);
      for (const order of detail.orders) await orderPd(lab.lab.topology(), order);
      return injection;
    },

    async confirm(injection) {
      const end = performance.now() + harm.confirmWithinMs;
      for (;;) {
        const seen = await lookAt(harm, injection);
        if (seen?.hasEffect || performance.now() >= end)
          return { confirmed: seen?.hasEffect ?? false, seen: seen?.words ?? UNASKED };
        await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
      }
    },

    async truth(injection) {
      const seen = await lookAt(harm, injection);
      if (seen === null) return 'unknown';
      return seen.stands || (harm.moves === 'leaders' && seen.hasEffect) ? 'present' : 'gone';
    },

    async heal(injection) {
      const seen = await lookAt(harm, injection);
      if (seen === null) throw new MedicError('MEDIC_CHAOS_TARGET', `cannot heal: ${UNASKED}`);
      if (!seen.stands) return { outcome: 'nothing-to-do', seen: seen.words };
      const { lab } = await openOwnLab(injection.labDir);
      for (const order of injection.detail.undo) await orderPd(lab.topology(), order).catch(ignoreWhatIsGone);
      return { outcome: 'healed', seen: (await lookAt(harm, injection))?.words ?? UNASKED };
    },
  };
}

const UNASKED = 'PD of the lab in which it was injected cannot be asked';

/** One of several orders may have been taken back by somebody else; the look after it tells. */
function ignoreWhatIsGone(error: unknown): void {
  if (!(error instanceof MedicError) || !/ with 404 /.test(error.message)) throw error;
}

async function lookAt(harm: OrderHarm, injection: Injection<OrderDetail>): Promise<OrderSeen | null> {
  try {
    const own = await openOwnLab(injection.labDir);
    return own.labId === injection.labId ? await harm.look(own.lab.topology(), injection) : null;
  } catch (error) {
    if (error instanceof MedicError) return null;
    throw error;
  }
}
