import type { Entry, Snapshot } from '../../subjects/tikv/lab/raft/types.js';

/** Taken once: a global is slow to look up in jest's module context. */
const { imul } = Math;

/** The replicated state: how far it got, and a digest over every entry on the way, so any difference shows for ever. */
export interface MachineState {
  index: number;
  digest: number;
  /** What was written last: the register that clients see. */
  value: string | null;
}

/** Before anything was applied. */
export const BLANK: MachineState = { index: 0, digest: 0, value: null };

export class Machine {
  state = BLANK;

  apply({ index, term, data, change }: Entry): void {
    if (index !== this.state.index + 1) throw new Error(`applied ${index} after ${this.state.index}`);
    const content = change ? JSON.stringify(change) : data;
    const value = data === '' || change ? this.state.value : data;
    this.state = { index, digest: hash(`${term}/${content}`, this.state.digest), value };
  }

  restore({ data }: Snapshot): void {
    this.state = JSON.parse(data) as MachineState;
  }

  save(): string {
    return JSON.stringify(this.state);
  }
}

/** FNV-1a, 32 bit, going on from `start`. */
function hash(text: string, start: number): number {
  let value = start ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
