import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { createProgram } from '../../../src/cli/program.js';
import { paper } from './paper.js';

async function run(...argv: string[]) {
  const { screen, out, err } = paper();
  const code = await runCommandLine(argv, screen);
  return { code, out: out(), err: err() };
}

describe('the command line', () => {
  it.each([
    [['tikets'], "unknown command 'tikets'. Did you mean tickets?", './medic --help'],
    [['chaos', 'injct'], "unknown command 'injct'. Did you mean inject?", './medic chaos --help'],
    [['demo', '--falt', 'x'], "unknown option '--falt'. Did you mean --fault?", './medic demo --help'],
    [['--bogus'], "unknown option '--bogus'", './medic --help'],
    [['watch'], "missing required argument 'ticket'", './medic watch --help'],
    [['approve', '7'], 'approve needs --reason where nobody can be asked', './medic approve --help'],
    [['amend', '7'], "required option '--reason <text>' not specified", './medic amend --help'],
    [['help', 'bogus'], "unknown command 'bogus'", './medic --help'],
    [
      ['demo', '--profile', 'slow'],
      "option '--profile <name>' argument 'slow' is invalid. Allowed choices are fast, real.",
      './medic demo --help',
    ],
    [
      ['up', '--stores', '2'],
      "option '--stores <n>' argument '2' is invalid. Need a whole number from 3 to 6.",
      './medic up --help',
    ],
    [
      ['up', '--ui-port', ' '],
      "option '--ui-port <port>' argument ' ' is invalid. Need a whole number from 1 to 65535.",
      './medic up --help',
    ],
  ])('%j is refused with 2, what is wrong and where to look', async (argv, words, help) => {
    expect(await run(...argv)).toEqual({ code: 2, out: [], err: [`MEDIC_USAGE  ${words}`, `  See \`${help}\`.`] });
  });

  it.each([[[]], [['--help']], [['help']]])('%j is help on stdout, and no failure', async (argv) => {
    const { code, out, err } = await run(...argv);
    expect([code, err]).toEqual([0, []]);
    expect(out[0]).toBe('Usage: medic [options] [command]');
  });

  it('names every verb in its help, and every verb of a verb', async () => {
    const { out } = await run();
    const page = out.join('\n');
    const { commands } = createProgram({ screen: paper().screen, done: () => {} });
    expect(commands).toHaveLength(32);
    for (const verb of commands) {
      expect(page).toContain(`\n  ${verb.name()} `);
      for (const inner of verb.commands) expect(verb.description()).toContain(inner.name());
    }
  });

  it.each([[['lab']], [['help', 'lab']], [['lab', '--help']]])('%j is the help of that verb', async (argv) => {
    const { code, out } = await run(...argv);
    expect([code, out[0]]).toEqual([0, 'Usage: medic lab [options] [command]']);
  });
});
