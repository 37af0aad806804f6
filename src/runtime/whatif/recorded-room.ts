import type { Room } from '../../../activities/room.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import type { TicketTimes } from '../../../workflows/contract.js';
import type { Reasoner } from '../../reasoner/reasoner.js';

export interface RecordedRoomOptions {
  /** Body of the evidence of a picture, as JSON text. */
  readonly picture: string;
  readonly times: TicketTimes;
}

/** A subject of which one picture is left: no host, no endpoint but those that the picture names. */
export function createRecordedRoom({ picture, times }: RecordedRoomOptions): Room<TikvPicture> {
  const seen = JSON.parse(picture) as TikvPicture;
  const silent = { status: null, body: '', failure: 'nothing is asked in a what-if', node: null };
  const { sampleMs, samples } = times.proof;
  return {
    subject: TIKV,
    eyes: { observe: async () => seen, http: async () => silent, close: async () => {} },
    hosts: new Map(),
    endpoints: Object.fromEntries(seen.vitals.pd.map(({ clientUrl }) => [new URL(clientUrl).host, 'pd'])),
    reasoner: NOBODY,
    sampling: { sampleMs, graceSamples: samples, clearSamples: samples },
    times,
  };
}

const NOBODY: Reasoner = {
  name: 'nobody',
  reason: () => Promise.reject(new Error('a recorded room has no reasoner of its own')),
};
