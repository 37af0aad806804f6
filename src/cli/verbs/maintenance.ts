import { Option } from '@commander-js/extra-typings';
import { byOption, homeOption, jsonOption, type Parent, type VerbDeps } from './options.js';

const subjectOption = () => new Option('--subject <name>', 'which').default('tikv');

/** `maintenance`, `maintenance list`, `maintenance end` */
export function addMaintenanceVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  const maintenance = parent
    .command('maintenance')
    .helpGroup('Say:')
    .description('--target T --for 2h: what is violated there is recorded, not filed; list, end')
    .option('--target <name>', 'what people work on')
    .option('--all', 'the whole subject')
    .option('--for <time>', 'how long, like 30m or 2h; at most 7d')
    .option('--reason <text>', 'recorded')
    .addOption(subjectOption())
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (options) => {
      const { beginMaintenance } = await import('../maintenance.js');
      done(await beginMaintenance(options, screen));
    });
  maintenance
    .command('list')
    .description('windows that are open or were lately, and what they recorded')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (_options, command) => {
      const { listMaintenance } = await import('../maintenance.js');
      done(await listMaintenance(command.optsWithGlobals(), screen));
    });
  maintenance
    .command('end <id>')
    .description('end a window now; what is still violated is filed')
    .addOption(subjectOption())
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (id, _options, command) => {
      const { endMaintenance } = await import('../maintenance.js');
      done(await endMaintenance(id, command.optsWithGlobals(), screen));
    });
}
