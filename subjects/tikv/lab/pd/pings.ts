import { Agent, get } from 'node:http';
import type { Member } from './members.js';

export interface PingsOptions {
  readonly self: Member;
  /** The group as it is now. */
  readonly members: () => readonly Member[];
  /** PD gives each member 3 s, so one frozen member makes `/health` as slow. */
  readonly withinMs: number;
}

/** Asks every member at once whether it answers, and returns the names of those that do. */
export function createPings({ self, members, withinMs }: PingsOptions): () => Promise<ReadonlySet<string>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return async () => {
    const others = members().filter(({ name }) => name !== self.name);
    const answers = await Promise.all(others.map((member) => ping(member, { agent, withinMs })));
    return new Set([self.name, ...others.filter((_, index) => answers[index]).map(({ name }) => name)]);
  };
}

function ping({ clientUrl }: Member, { agent, withinMs }: { agent: Agent; withinMs: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${clientUrl}/pd/api/v1/ping`, { agent, signal: AbortSignal.timeout(withinMs) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}
