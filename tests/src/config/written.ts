import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MedicError } from '../../../src/domain/errors.js';
import { withHome } from '../evidence/home.js';

/** Writes `text` to a file `name`, loads it, and gives the result. */
export const withFile = <T>(name: string, text: string, load: (path: string) => Promise<T>): Promise<T> =>
  withHome(async (folder) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return load(path);
  });

/** What a refused file is answered with: the code and the lines, without the folder. Fails when it was accepted. */
export const refusalOf = (name: string, text: string, load: (path: string) => Promise<unknown>) =>
  withFile(name, text, async (path) => {
    try {
      await load(path);
    } catch (failure) {
      if (!(failure instanceof MedicError)) throw failure;
      return { code: failure.code, lines: failure.message.replaceAll(path, name).split('\n') };
    }
    throw new Error(`${name} was accepted`);
  });
