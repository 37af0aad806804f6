import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type EvidenceId, evidenceId } from '../../domain/ids.js';
import type { Replacement } from '../whatif.js';
import { homeOption, jsonOption, type Parent, type VerbDeps, wholeNumber } from './options.js';
import { otherReasonerOption } from './reasoner-option.js';

/** `whatif`, `backtest` */
export function addWhatIfVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  parent
    .command('whatif <ticket-or-file>')
    .helpGroup('Read:')
    .description('run a recorded ticket on from a turn in another way')
    .addOption(new Option('--at <turn>', 'which turn').argParser(wholeNumber(1, 10_000)).makeOptionMandatory())
    .addOption(
      new Option('--set <evidence=file>', 'another body of one piece of evidence; may be repeated')
        .argParser(addReplacement)
        .default([] as readonly Replacement[], 'none'),
    )
    .addOption(new Option('--approve', 'approve every proposal that waits').conflicts('deny'))
    .addOption(new Option('--deny', 'deny every proposal that waits').conflicts('approve'))
    .addOption(otherReasonerOption().conflicts('model'))
    .addOption(new Option('--model <name>', 'the same as `--reasoner claude:NAME`'))
    .addOption(new Option('--policy <file>', 'rule by this policy'))
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (what, { approve, deny, model, ...options }) => {
      const { whatIfVerb } = await import('../whatif.js');
      const answer = approve ? 'approve' : deny ? 'deny' : null;
      const reasoner = model === undefined ? options.reasoner : ({ kind: 'claude', model } as const);
      done(await whatIfVerb(what, { ...options, answer, reasoner }, screen));
    });
  parent
    .command('backtest [bundle...]')
    .helpGroup('Read:')
    .description('what another policy or prompt would have changed, over all archived tickets')
    .addOption(new Option('--policy <file>', 'rule on every recorded proposal again').conflicts('prompt'))
    .addOption(new Option('--prompt <file>', 'think every recorded turn again: a system prompt or an agent'))
    .addOption(new Option('--ceiling <usd>', 'what all calls may cost').argParser(dollars).default(1))
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (bundles, options) => {
      const { backtest } = await import('../backtest.js');
      done(await backtest(bundles, options, screen));
    });
}

function addReplacement(text: string, before: readonly Replacement[]): readonly Replacement[] {
  const [, id, file] = /^(e[1-9][0-9]*)=(.+)$/.exec(text) ?? [];
  if (!id || !file) throw new InvalidArgumentError('Need evidence and a file, like `e12=answer.txt`.');
  const evidence: EvidenceId = evidenceId(Number(id.slice(1)));
  return [...before.filter((other) => other.evidence !== evidence), { evidence, file }];
}

function dollars(text: string): number {
  const usd = Number(text);
  if (text.trim() !== '' && usd >= 0 && Number.isFinite(usd)) return usd;
  throw new InvalidArgumentError('Need an amount in USD, like `0.50`.');
}
