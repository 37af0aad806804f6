import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { askInjection, inject, listFaults } from './chaos.js';
import { demo } from './demo.js';
import { doctor } from './doctor.js';
import { labDown, labStatus, labUp } from './lab.js';
import { decide, end, hint, setFreeze } from './messages.js';
import { replayVerb } from './replay.js';
import type { Screen } from './screen.js';
import { showTicket } from './show.js';
import { listTickets } from './tickets.js';
import { printTrail, watchTicket } from './trail.js';
import { up } from './up.js';
import { VERSION } from './version.js';

/** What parsing needs from its caller; `done` gets the exit code of the verb that ran. */
export interface ProgramDeps {
  readonly screen: Screen;
  readonly done: (code: number) => void;
}

const homeOption = () => new Option('--home <dir>', 'folder of this Medic').env('MEDIC_HOME').default('.medic');
const jsonOption = () => new Option('--json', 'machine-readable output');
const byOption = () => new Option('--by <name>', 'who says so (unsigned; default: your login)');
const profileOption = () =>
  new Option('--profile <name>', 'time table of the lab').choices(['fast', 'real'] as const).default('fast' as const);
const storesOption = () => new Option('--stores <n>', 'stores of a new lab').argParser(wholeNumber(3, 6)).default(4);
/** The name stays a literal type, so that the parsed options are typed by it. */
const portOption = <Name extends string>(name: Name, what: string) =>
  new Option(`--${name} <port>`, `${what}; default: the next free one`).argParser(wholeNumber(1, 65_535));

function wholeNumber(least: number, most: number) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`need a whole number from ${least} to ${most}.`);
  };
}

/** All verbs. Parsing and running are apart: a verb is a function of its options and a screen. */
export function createProgram({ screen, done }: ProgramDeps): Command {
  const program = new Command('medic')
    .description('On-call operator for stateful services. Exit codes: docs/cli.md')
    .version(VERSION)
    .configureOutput({ writeOut: (text) => screen.out(text.trimEnd()), writeErr: (text) => screen.err(text.trimEnd()) })
    .showSuggestionAfterError()
    .exitOverride();
  addRunning(program, { screen, done });
  addReading(program, { screen, done });
  addSaying(program, { screen, done });
  addLab(program, { screen, done });
  addChaos(program, { screen, done });
  return program as unknown as Command;
}

type Parent = Pick<Command, 'command'>;

function addRunning(program: Parent, { screen, done }: ProgramDeps): void {
  program
    .command('demo')
    .description('a fresh lab, one fault, and the whole repair, live')
    .addOption(homeOption())
    .option('--fault <name>', 'what to break', 'node_kill')
    .option('--target <node>', 'what to hit; default: the store with most leaders')
    .addOption(new Option('--reasoner <name>', 'who reasons').choices(['rules'] as const).default('rules' as const))
    .option('--summary <file>', 'write the numbers as JSON')
    .addOption(profileOption())
    .addOption(storesOption())
    .addOption(portOption('temporal-port', 'port of Temporal'))
    .addOption(portOption('ui-port', 'port of its web UI'))
    .addOption(portOption('metrics-port', 'port of /metrics'))
    .action(async (options) => done(await demo(options, screen)));
  program
    .command('up')
    .description('Temporal, the lab of this home and a worker, until Ctrl-C')
    .addOption(homeOption())
    .addOption(profileOption())
    .addOption(storesOption())
    .addOption(portOption('temporal-port', 'port of Temporal'))
    .addOption(portOption('ui-port', 'port of its web UI'))
    .addOption(portOption('metrics-port', 'port of /metrics'))
    .action(async (options) => done(await up(options, screen)));
  program
    .command('doctor')
    .description('what is in order, and what to do about the rest')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => done(await doctor(options, screen)));
}

function addReading(program: Parent, { screen, done }: ProgramDeps): void {
  program
    .command('tickets')
    .description('open tickets, one row each')
    .option('--all', 'closed ones too')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => done(await listTickets(options, screen)));
  program
    .command('show <ticket>')
    .description('one ticket: symptom, board, proposal, brief')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (ticket, options) => done(await showTicket(ticket, options, screen)));
  program
    .command('watch <ticket>')
    .description('its story, live; Ctrl-C only stops watching')
    .addOption(homeOption())
    .action(async (ticket, options) => done(await watchTicket(ticket, options, screen)));
  program
    .command('trail <ticket>')
    .description('everything that happened')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (ticket, options) => done(await printTrail(ticket, options, screen)));
  program
    .command('replay <ticket-or-file>')
    .description('run the workflow code on a recorded history and narrate')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (what, options) => done(await replayVerb(what, options, screen)));
}

function addSaying(program: Parent, { screen, done }: ProgramDeps): void {
  for (const answer of ['approve', 'deny'] as const)
    program
      .command(`${answer} <ticket>`)
      .description(`${answer} the pending proposal`)
      .requiredOption('--reason <text>', 'recorded, and told to the reasoner')
      .addOption(byOption())
      .addOption(homeOption())
      .action(async (ticket, options) => done(await decide(answer, ticket, options, screen)));
  program
    .command('hint <ticket> <text>')
    .description('tell the reasoner something; wakes an escalated ticket')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (ticket, text, options) => done(await hint(ticket, text, options, screen)));
  for (const kind of ['abort', 'close'] as const)
    program
      .command(`${kind} <ticket>`)
      .description(kind === 'abort' ? 'stop it now, a running command too' : 'end it once no command runs')
      .requiredOption('--reason <text>', 'recorded')
      .addOption(byOption())
      .addOption(homeOption())
      .action(async (ticket, options) => done(await end(kind, ticket, options, screen)));
  program
    .command('freeze')
    .description('let nothing act on a subject')
    .requiredOption('--reason <text>', 'recorded')
    .option('--subject <name>', 'which', 'tikv')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (options) => done(await setFreeze('freeze', options, screen)));
  program
    .command('unfreeze')
    .description('let it act again')
    .option('--subject <name>', 'which', 'tikv')
    .addOption(byOption())
    .addOption(homeOption())
    .action(async (options) => done(await setFreeze('unfreeze', options, screen)));
}

function addLab(program: Parent, { screen, done }: ProgramDeps): void {
  const lab = program.command('lab').description('the TiKV lab, a stand-in');
  lab
    .command('up')
    .description('a lab that stays until `lab down`')
    .addOption(homeOption())
    .addOption(storesOption())
    .addOption(profileOption())
    .action(async (options) => done(await labUp(options, screen)));
  lab
    .command('down')
    .description('end it; its data stays')
    .addOption(homeOption())
    .action(async (options) => done(await labDown(options, screen)));
  lab
    .command('status')
    .description('its nodes')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => done(await labStatus(options, screen)));
}

function addChaos(program: Parent, { screen, done }: ProgramDeps): void {
  const chaos = program.command('chaos').description('faults, only in labs that Medic made');
  chaos
    .command('list')
    .description('faults, and what was injected')
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (options) => done(await listFaults(options, screen)));
  chaos
    .command('inject <fault>')
    .description('break something, and wait until it is seen')
    .option('--target <node>', 'what to hit; default: the store with most leaders')
    .addOption(new Option('--seed <n>', 'choose the target by this seed').argParser(wholeNumber(0, 2 ** 31)))
    .addOption(homeOption())
    .addOption(jsonOption())
    .action(async (fault, options) => done(await inject(fault, options, screen)));
  for (const verb of ['confirm', 'truth', 'heal'] as const)
    chaos
      .command(`${verb} <injection>`)
      .description({ confirm: 'is its effect there?', truth: 'is the fault still there?', heal: 'undo it' }[verb])
      .addOption(homeOption())
      .addOption(jsonOption())
      .action(async (id, options) => done(await askInjection(verb, id, options, screen)));
}
