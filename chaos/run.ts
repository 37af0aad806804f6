import { MedicError } from '../src/domain/errors.js';
import { faultNamed, faultOf } from './faults.js';
import type { ChaosJournal } from './journal.js';
import { openOwnLab } from './own-lab.js';
import type { Confirmation, Healing, Injection, TargetWish } from './protocol.js';

/** What to do to which lab, and where to write it down. */
export interface InjectRequest {
  readonly fault: string;
  readonly labDir: string;
  readonly target: TargetWish;
  readonly journal: ChaosJournal;
}

/**
 * Injects a fault and waits until its effect is seen. The journal knows of it before any harm is done.
 *
 * @throws MedicError `MEDIC_CHAOS_NOT_CONFIRMED` (recorded, to be healed), and those of the fault and of `openOwnLab`
 */
export async function injectFault({
  fault: name,
  labDir,
  target,
  journal,
}: InjectRequest): Promise<{ injection: Injection; confirmation: Confirmation }> {
  const fault = faultNamed(name);
  const lab = await openOwnLab(labDir);
  const support = await fault.supports(lab);
  if (!support.supported) throw new MedicError('MEDIC_CHAOS_TARGET', `${name} is not possible here: ${support.reason}`);
  const injection = await fault.inject({ lab, target, record: journal.begun });
  journal.injected(injection);
  const confirmation = await fault.confirm(injection);
  if (confirmation.confirmed) return { injection, confirmation };
  throw new MedicError('MEDIC_CHAOS_NOT_CONFIRMED', `${injection.id}: ${confirmation.seen}`);
}

/** Undoes an injection and records it. */
export async function healInjection({
  injection,
  journal,
}: {
  injection: Injection;
  journal: ChaosJournal;
}): Promise<Healing> {
  const healing = await faultOf(injection).heal(injection);
  journal.healed(injection, healing);
  return healing;
}
