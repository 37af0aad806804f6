import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type EvidenceId, evidenceId } from '../../domain/ids.js';
import type { Replacement } from '../whatif.js';
import { homeOption, jsonOption, type Parent, type VerbDeps, wholeNumber } from './options.js';
import { otherReasonerOption } from './reasoner-option.js';

/** `whatif` */
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
}

function addReplacement(text: string, before: readonly Replacement[]): readonly Replacement[] {
  const [, id, file] = /^(e[1-9][0-9]*)=(.+)$/.exec(text) ?? [];
  if (!id || !file) throw new InvalidArgumentError('Need evidence and a file, like `e12=answer.txt`.');
  const evidence: EvidenceId = evidenceId(Number(id.slice(1)));
  return [...before.filter((other) => other.evidence !== evidence), { evidence, file }];
}
