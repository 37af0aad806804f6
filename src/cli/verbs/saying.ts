import { Option } from '@commander-js/extra-typings';
import { byOption, duration, homeOption, identityOption, type Parent, type VerbDeps, wholeNumber } from './options.js';

/** `approve`, `deny`, `hint`, `abort`, `close`, `reset`, `freeze`, `unfreeze`: they need the running instance. */
export function addSayingVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  for (const answer of ['approve', 'deny'] as const)
    parent
      .command(`${answer} <ticket>`)
      .helpGroup('Say:')
      .description(`${answer} the pending proposal`)
      .option('--reason <text>', 'recorded, and told to the reasoner (without it: the decision card)')
      .addOption(byOption())
      .addOption(identityOption())
      .option('--unsigned', 'do not sign, although there is an identity')
      .addOption(new Option('--for <time>', 'how long it may be acted on, like `15m`').argParser(duration))
      .addOption(homeOption())
      .action(async (ticket, options) => {
        const { answerOrAsk } = await import('../decide.js');
        done(await answerOrAsk(answer, ticket, options, screen));
      });
  parent
    .command('hint <ticket> <text>')
    .helpGroup('Say:')
    .description('tell the reasoner something; wakes an escalated ticket')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, text, options) => {
      const { hint } = await import('../messages.js');
      done(await hint(ticket, text, options, screen));
    });
  parent
    .command('abort <ticket>')
    .helpGroup('Say:')
    .description('stop it: a running step is let to end, nothing begins after it')
    .requiredOption('--reason <text>', 'recorded')
    .option('--kill', 'end a running command and its processes at once')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { end } = await import('../messages.js');
      done(await end('abort', ticket, options, screen));
    });
  parent
    .command('close <ticket>')
    .helpGroup('Say:')
    .description('end it once no command runs')
    .requiredOption('--reason <text>', 'recorded')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { end } = await import('../messages.js');
      done(await end('close', ticket, options, screen));
    });
  parent
    .command('reset <ticket>')
    .helpGroup('Say:')
    .description('do one of its turns again, on fresh facts and without its approvals')
    .addOption(new Option('--turn <n>', 'which turn').argParser(wholeNumber(1, 10_000)).makeOptionMandatory())
    .requiredOption('--hint <text>', 'what the reasoner did not know')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, options) => {
      const { reset } = await import('../reset.js');
      done(await reset(ticket, options, screen));
    });
  parent
    .command('freeze')
    .helpGroup('Say:')
    .description('let nothing act on a subject')
    .requiredOption('--reason <text>', 'recorded')
    .option('--subject <name>', 'which', 'tikv')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (options) => {
      const { setFreeze } = await import('../messages.js');
      done(await setFreeze('freeze', options, screen));
    });
  parent
    .command('unfreeze')
    .helpGroup('Say:')
    .description('let it act again')
    .option('--subject <name>', 'which', 'tikv')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (options) => {
      const { setFreeze } = await import('../messages.js');
      done(await setFreeze('unfreeze', options, screen));
    });
}
