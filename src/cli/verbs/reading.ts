import { homeOption, jsonOption, type Parent, type VerbDeps } from './options.js';

/** `tickets`, `show`, `watch`, `trail`, `replay`, which work on the archive too, and `budget`. */
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
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (what, options) => {
      const { replayVerb } = await import('../replay.js');
      done(await replayVerb(what, options, screen));
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
