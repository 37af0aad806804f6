import { Option } from '@commander-js/extra-typings';
import { homeOption, jsonOption, type Parent, type VerbDeps, wholeNumber } from './options.js';

const ASKED = { confirm: 'is its effect there?', truth: 'is the fault still there?', heal: 'undo it' } as const;

/** `chaos list`, `inject`, `matrix`, `confirm`, `truth`, `heal` */
export function addChaosVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  const chaos = parent
    .command('chaos')
    .helpGroup('Practise:')
    .description('list, inject, confirm, truth, heal, matrix: faults, only in labs that Medic made');
  chaos
    .command('list')
    .description('faults, and what was injected')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { listFaults } = await import('../chaos.js');
      done(await listFaults(options, screen));
    });
  chaos
    .command('inject <fault>')
    .description('break something, and wait until it is seen')
    .option('--target <node>', 'what to hit (default: the store with most leaders)')
    .addOption(new Option('--seed <n>', 'choose the target by this seed').argParser(wholeNumber(0, 2 ** 31)))
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (fault, options) => {
      const { inject } = await import('../chaos.js');
      done(await inject(fault, options, screen));
    });
  chaos
    .command('matrix')
    .description('try every fault on a fresh lab that nobody operates')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { matrix } = await import('../chaos.js');
      done(await matrix(options, screen));
    });
  for (const verb of ['confirm', 'truth', 'heal'] as const)
    chaos
      .command(`${verb} <injection>`)
      .description(ASKED[verb])
      .addOption(homeOption())
      .addOption(jsonOption())
      .action(async (id, options) => {
        const { askInjection } = await import('../chaos.js');
        done(await askInjection(verb, id, options, screen));
      });
}
