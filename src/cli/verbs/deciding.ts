import { byOption, homeOption, type Parent, type VerbDeps } from './options.js';

/** `decide`, `amend`, `take`: what a person does with a ticket that waits for one. */
export function addDecidingVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  parent
    .command('decide <ticket>')
    .helpGroup('Say:')
    .description('the decision card: everything to decide by, and a key for each answer')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { decideVerb } = await import('../decide.js');
      done(await decideVerb(ticket, options, screen));
    });
  parent
    .command('amend <ticket>')
    .helpGroup('Say:')
    .description('answer the pending proposal with other steps, which are judged from scratch')
    .option('--file <plan>', 'YAML or JSON (default: your editor, with the present plan)')
    .requiredOption('--reason <text>', 'recorded')
    .option('--approve', 'approve the amended plan at once, if a person has to')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { amend } = await import('../amend.js');
      done(await amend(ticket, options, screen));
    });
  parent
    .command('take <ticket>')
    .helpGroup('Say:')
    .description('take it over: Medic proposes and does nothing more, and watches on')
    .requiredOption('--reason <text>', 'recorded')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { end } = await import('../messages.js');
      done(await end('take', ticket, options, screen));
    });
}
