import { homeOption, jsonOption, type Parent, type VerbDeps } from './options.js';
import { reasonerOption } from './reasoner-option.js';

/** `prompts diff` */
export function addPromptVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  const prompts = parent
    .command('prompts')
    .helpGroup('Read:')
    .description('diff: what a change of prompts would have changed');
  prompts
    .command('diff <ticket...>')
    .description('think recorded turns again with the present prompt, list other next steps')
    .addOption(homeOption())
    .addOption(reasonerOption())
    .addOption(jsonOption())
    .action(async (tickets, options) => {
      const { promptsDiff } = await import('../prompts.js');
      done(await promptsDiff(tickets, options, screen));
    });
}
