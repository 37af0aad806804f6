import type { Target } from '../src/domain/ids.js';
import type { Host } from '../src/host/host.js';
import type { Reasoner } from '../src/reasoner/reasoner.js';
import type { Subject, SubjectEyes } from '../subjects/protocol.js';
import type { TicketTimes } from '../workflows/contract.js';

/**
 * One subject with everything activities need to work on it. `P` is the subject's picture; activities only pass it
 * from the subject's eyes to its pure functions.
 */
export interface Room<P = unknown> {
  readonly subject: Subject<P>;
  readonly eyes: SubjectEyes<P>;
  /** Hosts by the name that shell calls use. */
  readonly hosts: ReadonlyMap<string, Host>;
  /** Why no host of this subject can be asked, in words; absent: those of `hosts` can. */
  readonly hostless?: string;
  /** `host:port` to API name, from the inventory: how HTTP sent by a command line is recognised. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** The node that others know by an address; `null`: none, or several could be meant. */
  readonly nodeAt?: (address: string) => Target | null;
  readonly reasoner: Reasoner;
  readonly sampling: Sampling;
  readonly times: TicketTimes;
}

/** How the patrol samples; from the subject's profile. */
export interface Sampling {
  readonly sampleMs: number;
  readonly graceSamples: number;
  readonly clearSamples: number;
}

/** The rooms of this worker by the name of their subject. */
export type Rooms = ReadonlyMap<string, Room>;

/** A subject that this worker was not told about is a fault of its configuration; retrying on another worker may help. */
export function roomOf(rooms: Rooms, subject: string): Room {
  const room = rooms.get(subject);
  if (!room) throw new Error(`this worker has no subject named ${subject}`);
  return room;
}
