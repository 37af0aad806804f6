import { Option } from '@commander-js/extra-typings';
import { jsonOption, type Parent, type VerbDeps } from './options.js';

const fileOption = () =>
  new Option('--file <file>', "where the key is (default: medic/identity.json in your user's configuration)").env(
    'MEDIC_IDENTITY',
  );

/** `identity create`, `identity show` */
export function addIdentityVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  const identity = parent
    .command('identity')
    .helpGroup('Say:')
    .description('create, show: the key that signs what you approve');
  identity
    .command('create')
    .description('make a key pair, and print the line for medic.yaml')
    .option('--name <name>', 'who you are (default: your login)')
    .addOption(fileOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { newIdentity } = await import('../identity.js');
      done(await newIdentity(options, screen));
    });
  identity
    .command('show')
    .description('print that line again')
    .addOption(fileOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { showIdentity } = await import('../identity.js');
      done(await showIdentity(options, screen));
    });
}
