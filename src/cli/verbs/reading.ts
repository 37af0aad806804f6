import { Option } from '@commander-js/extra-typings';
import { homeOption, jsonOption, type Parent, type VerbDeps, wholeNumber } from './options.js';

/** `tickets`, `show`, `watch`, `trail`, `replay`, `export`, `import`, which work on the archive too, and `budget`. */
export function addReadingVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  parent
    .command('tickets')
    .helpGroup('Read:')
    .description('open tickets, one row each')
    .option('--all', 'closed ones too')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { listTickets } = await import('../tickets.js');
      done(await listTickets(options, screen));
    });
  parent
    .command('show <ticket>')
    .helpGroup('Read:')
    .description('one ticket: symptom, board, proposal, brief')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (ticket, options) => {
      const { showTicket } = await import('../show.js');
      done(await showTicket(ticket, options, screen));
    });
  parent
    .command('watch <ticket>')
    .helpGroup('Read:')
    .description('its story, live; Ctrl-C only stops watching')
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { watchTicket } = await import('../trail.js');
      done(await watchTicket(ticket, options, screen));
    });
  parent
    .command('trail <ticket>')
    .helpGroup('Read:')
    .description('everything that happened, with all details')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (ticket, options) => {
      const { printTrail } = await import('../trail.js');
      done(await printTrail(ticket, options, screen));
    });
  parent
    .command('replay <ticket-or-file>')
    .helpGroup('Read:')
    .description('run the workflow code on a recorded history and narrate')
    .addOption(new Option('--until <turn>', 'tell no more after this turn').argParser(wholeNumber(1, 10_000)))
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (what, options) => {
      const { replayVerb } = await import('../replay.js');
      done(await replayVerb(what, options, screen));
    });
  parent
    .command('export <ticket> [file]')
    .helpGroup('Read:')
    .description('one ticket with its history and evidence, as one file')
    .addOption(homeOption())
    .action(async (ticket, file, options) => {
      const { exportTicket } = await import('../bundle.js');
      done(await exportTicket(ticket, file, options, screen));
    });
  parent
    .command('import <file>')
    .helpGroup('Read:')
    .description('an exported ticket into the archive of a home')
    .addOption(homeOption())
    .action(async (file, options) => {
      const { importBundle } = await import('../bundle.js');
      done(await importBundle(file, options, screen));
    });
  parent
    .command('budget')
    .helpGroup('Read:')
    .description('what paid calls cost, what is left, and the forecast')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { showBudget } = await import('../budget.js');
      done(await showBudget(options, screen));
    });
}
