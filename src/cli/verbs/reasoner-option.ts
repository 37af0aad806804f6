import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { parseTicketId } from '../../domain/ids.js';
import type { WorkerSettings } from '../../runtime/worker/settings.js';

type Reasoner = WorkerSettings['reasoner'];

/** `--reasoner`, for the verbs that think. */
export const reasonerOption = () =>
  new Option('--reasoner <name>', 'who reasons: rules, claude, claude:MODEL, or recorded:TICKET of the archive')
    .argParser(parseReasoner)
    .default(defaultReasoner(process.env), 'claude with ANTHROPIC_API_KEY, else rules');

/** The same without a default, and without what is archived: a what-if begins with that. */
export const otherReasonerOption = () =>
  new Option('--reasoner <name>', 'who thinks from that turn on: rules, claude or claude:MODEL').argParser(parseOther);

function parseOther(text: string): Reasoner {
  const reasoner = parseReasoner(text);
  if (reasoner.kind !== 'recorded') return reasoner;
  throw new InvalidArgumentError('Need `rules`, `claude` or `claude:MODEL`; what was recorded stands without asking.');
}

/** Without being asked: a model if there is a key for one. */
const defaultReasoner = (env: NodeJS.ProcessEnv): Reasoner =>
  env.ANTHROPIC_API_KEY ? { kind: 'claude' } : { kind: 'rules' };

function parseReasoner(text: string): Reasoner {
  if (text === 'rules' || text === 'claude') return { kind: text };
  const model = /^claude:(.+)$/.exec(text)?.[1];
  if (model) return { kind: 'claude', model };
  const ticket = /^recorded:(.+)$/.exec(text)?.[1] ?? '';
  if (parseTicketId(ticket)) return { kind: 'recorded', ticket };
  throw new InvalidArgumentError(
    'Need `rules`, `claude`, `claude:MODEL`, or `recorded:` and a ticket like `recorded:tikv/1`.',
  );
}
