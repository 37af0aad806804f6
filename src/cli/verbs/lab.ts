import { homeOption, jsonOption, type Parent, profileOption, storesOption, type VerbDeps } from './options.js';

/** `lab up`, `lab down`, `lab status` */
export function addLabVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  const lab = parent.command('lab').helpGroup('Practise:').description('up, down, status: the TiKV lab, a stand-in');
  lab
    .command('up')
    .description('a lab that stays until `lab down`')
    .addOption(homeOption())
    .addOption(storesOption())
    .addOption(profileOption())
    .action(async (options) => {
      const { labUp } = await import('../lab.js');
      done(await labUp(options, screen));
    });
  lab
    .command('down')
    .description('end it; its data stays')
    .addOption(homeOption())
    .action(async (options) => {
      const { labDown } = await import('../lab.js');
      done(await labDown(options, screen));
    });
  lab
    .command('status')
    .description('its nodes')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { labStatus } = await import('../lab.js');
      done(await labStatus(options, screen));
    });
}
