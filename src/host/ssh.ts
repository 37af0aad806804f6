import type { Host, Outcome } from './host.js';
import { quote } from './quote.js';

export interface SshHostOptions {
  readonly name: string;
  /** As `ssh` takes it: a host name, an address, or a name of the user's own configuration. */
  readonly address: string;
  /** Where `ssh` itself runs: this machine, with the HOME and the agent of whoever started Medic. */
  readonly from: Host;
}

/** Nobody is there to type a password or to trust a new key, and a host that is away must not hold a look up. */
const OPTIONS = '-o BatchMode=yes -o ConnectTimeout=5 -o StrictHostKeyChecking=yes';

/** Of `ssh` for its own failures. A command that ends with it cannot be told from them. */
const FAILED = 255;

/** Runs commands on another machine by the `ssh` of this one: the user's keys, jump hosts and known hosts count. */
export function createSshHost({ name, address, from }: SshHostOptions): Host {
  return {
    name,
    async run(request, signal) {
      const remote = `bash --noprofile --norc -c ${quote(request.command)}`;
      const command = `ssh ${OPTIONS} -- ${quote(address)} ${quote(remote)}`;
      return withoutSsh(await from.run({ ...request, command }, signal));
    },
  };
}

function withoutSsh(outcome: Outcome): Outcome {
  if (outcome.exitCode !== FAILED) return outcome;
  const words = outcome.tail.trim() || outcome.head.trim() || 'ssh failed';
  return { ...outcome, exitCode: null, failure: words.split('\n').at(-1) ?? words };
}
