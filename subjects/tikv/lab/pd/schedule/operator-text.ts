import { goDuration, goTime } from '../go-format.js';
import { kindNumber } from './kind.js';
import { type Operator, STATUSES } from './operator.js';
import { stepText } from './step-text.js';

/** PD's words for the states in `GET /operators/{region}`, where they differ from the names. */
const STATUS_WORDS: Readonly<Partial<Record<Operator['status'], string>>> = { STARTED: 'RUNNING' };

/** An operator as `GET /operators` lists it. `startedNs` is the start of PD's process, from which Go counts `m=`. */
export function operatorText(operator: Operator, startedNs: bigint): string {
  const { desc, brief, kinds, regionId, epoch, createdNs, currentStep, sizeMib, steps, timeoutMs, status } = operator;
  const at = momentText(createdNs, startedNs);
  const parts = [
    `kind:${kinds.join(',')}`,
    `region:${regionId}(${epoch.version}, ${epoch.confVer})`,
    `createAt:${at}`,
    `startAt:${at}`,
    `currentStep:${currentStep}`,
    `size:${sizeMib}`,
    `steps:[${steps.map((step, index) => `${index}:{${stepText(step)}}`).join(', ')}]`,
    `timeout:[${durationText(sum(timeoutMs))}]`,
  ];
  const end = status === 'SUCCESS' ? ' finished' : status === 'TIMEOUT' ? ' timeout' : '';
  return `${desc} {${brief}} (${parts.join(', ')})${end}`;
}

/** As `GET /operators/{region}` shows it, also for a while after its end. */
export function statusText(operator: Operator, startedNs: bigint): string {
  const { status } = operator;
  return `status: ${STATUS_WORDS[status] ?? status}, operator: ${operatorText(operator, startedNs)}`;
}

/** As `GET /operators/records` lists one that ended. */
export function recordText(operator: Operator, startedNs: bigint): string {
  const endedNs = operator.endedNs ?? operator.createdNs;
  const end = `finishAt:${momentText(endedNs, startedNs)}, duration:${goDuration(endedNs - operator.createdNs)}`;
  return `${operatorText(operator, startedNs)} (${end})`;
}

/** As `GET /operators?object=1` lists it: kind and status are numbers there. */
export function operatorObject({ desc, brief, regionId, epoch, kinds, timeoutMs, status }: Operator): object {
  return {
    desc,
    brief,
    region_id: regionId,
    region_epoch: { conf_ver: epoch.confVer, version: epoch.version },
    kind: kindNumber(kinds),
    timeout: durationText(sum(timeoutMs)),
    status: STATUSES.indexOf(status),
  };
}

/** Go's `time.Time.String`, with its monotonic reading. */
function momentText(ns: bigint, startedNs: bigint): string {
  const text = goTime(ns).replace('T', ' ').replace(/Z$/, ' +0000 UTC');
  const since = ns - startedNs;
  return `${text} m=+${since / 1_000_000_000n}.${(since % 1_000_000_000n).toString().padStart(9, '0')}`;
}

function durationText(ms: number): string {
  return goDuration(BigInt(Math.round(ms * 1e6)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
