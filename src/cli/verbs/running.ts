import { Option } from '@commander-js/extra-typings';
import {
  configOption,
  homeOption,
  jsonOption,
  type Parent,
  pdOption,
  pemOption,
  portOption,
  profileOption,
  storesOption,
  type VerbDeps,
} from './options.js';
import { reasonerOption } from './reasoner-option.js';

/** `demo`, `up`, `observe`, `init`, `notify test`, `doctor` */
export function addRunningVerbs(parent: Parent, { screen, done }: VerbDeps): void {
  parent
    .command('demo')
    .helpGroup('Run:')
    .description('a fresh lab, one fault, and the whole repair, live')
    .addOption(homeOption())
    .option('--fault <name>', 'what to break', 'node_kill')
    .option('--target <node>', 'what to hit (default: the store with most leaders)')
    .addOption(reasonerOption())
    .option('--summary <file>', 'write the numbers as JSON')
    .addOption(profileOption())
    .addOption(storesOption())
    .addOption(portOption('temporal-port', 'port of Temporal'))
    .addOption(portOption('ui-port', 'port of its web UI'))
    .addOption(portOption('metrics-port', 'port of /metrics'))
    .action(async (options) => {
      const { demo } = await import('../demo.js');
      done(await demo(options, screen));
    });
  parent
    .command('up')
    .helpGroup('Run:')
    .description('Temporal, a worker, and the subjects of medic.yaml or a lab, until Ctrl-C')
    .addOption(homeOption())
    .addOption(configOption())
    .addOption(reasonerOption())
    .addOption(profileOption())
    .addOption(storesOption())
    .addOption(portOption('temporal-port', 'port of Temporal'))
    .addOption(portOption('ui-port', 'port of its web UI'))
    .addOption(portOption('metrics-port', 'port of /metrics'))
    .action(async (options) => {
      const { up } = await import('../up.js');
      done(await up(options, screen));
    });
  parent
    .command('observe')
    .helpGroup('Run:')
    .description('watch a cluster of yours, read-only, until Ctrl-C')
    .addOption(pdOption().makeOptionMandatory())
    .addOption(pemOption('ca', 'CA of its PD'))
    .addOption(pemOption('cert', 'our certificate'))
    .addOption(pemOption('key', 'and its key'))
    .addOption(new Option('--server-name <name>', 'expected in the certificate of PD instead of its address'))
    .option('--subject <name>', 'what to call it', 'tikv')
    .addOption(homeOption())
    .addOption(configOption())
    .addOption(reasonerOption())
    .addOption(profileOption().default('real' as const))
    .addOption(portOption('temporal-port', 'port of Temporal'))
    .addOption(portOption('ui-port', 'port of its web UI'))
    .addOption(portOption('metrics-port', 'port of /metrics'))
    .action(async (options) => {
      const { observe } = await import('../observe.js');
      done(await observe(options, screen));
    });
  parent
    .command('init')
    .helpGroup('Run:')
    .description('write a first medic.yaml, from a TiUP topology or from what a PD says')
    .option('--tiup <file>', 'topology of TiUP')
    .addOption(pdOption())
    .addOption(pemOption('ca', 'CA of its PD'))
    .addOption(pemOption('cert', 'our certificate'))
    .addOption(pemOption('key', 'and its key'))
    .option('--subject <name>', 'what to call the cluster', 'tikv')
    .option('--out <file>', 'where to; an existing file is not touched', 'medic.yaml')
    .action(async (options) => {
      const { init } = await import('../init.js');
      done(await init(options, screen));
    });
  parent
    .command('notify')
    .helpGroup('Run:')
    .description('test: tell everybody in medic.yaml that this is a test')
    .command('test')
    .description('send each target one notification, now')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { testNotify } = await import('../notify.js');
      done(await testNotify(options, screen));
    });
  parent
    .command('doctor')
    .helpGroup('Run:')
    .description('what is in order, and what to do about the rest')
    .addOption(homeOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => {
      const { doctor } = await import('../doctor.js');
      done(await doctor(options, screen));
    });
}
