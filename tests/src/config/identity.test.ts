import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createIdentity, readIdentity, usualIdentityFile } from '../../../src/config/identity.js';
import { proposalId } from '../../../src/domain/ids.js';
import { isSignedBy, signed } from '../../../src/policy/signature.js';
import { withHome } from '../evidence/home.js';

const at = (folder: string) => join(folder, 'deep', 'medic', 'identity.json');

describe('an identity', () => {
  it('is written for its owner alone, read again, and signs', () =>
    withHome(async (folder) => {
      const path = at(folder);
      const made = await createIdentity({ path, name: 'ana' });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const read = await readIdentity(path);
      expect(read).toMatchObject({ name: 'ana', publicKey: made.publicKey });
      const answer = { proposal: proposalId('p'), answer: 'deny', by: 'ana', note: '', basisHash: 'b' };
      const said = signed({ run: 'r', answer, key: read!.key });
      expect(isSignedBy({ run: 'r', answer: said, key: made.publicKey })).toBe(true);
    }));

  it('is never overwritten', () =>
    withHome(async (folder) => {
      const path = at(folder);
      await createIdentity({ path, name: 'ana' });
      const before = await readFile(path, 'utf8');
      await expect(createIdentity({ path, name: 'ben' })).rejects.toMatchObject({ code: 'MEDIC_IDENTITY_EXISTS' });
      expect(await readFile(path, 'utf8')).toBe(before);
    }));

  it('that is not there is none', () => withHome(async (folder) => expect(await readIdentity(at(folder))).toBeNull()));

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['others may read it', (path) => chmod(path, 0o644), /others may read it \(mode 644\)$/],
    ['it is damaged', (path) => writeFile(path, '{"version": 1'), /it is no identity$/],
    [
      'its keys do not belong together',
      async (path) => {
        const text = await readFile(path, 'utf8');
        const { publicKey } = await createIdentity({ path: `${path}2`, name: 'ben' });
        await writeFile(path, text.replace(/ed25519:[\w-]+/, publicKey));
      },
      /its two keys do not belong together$/,
    ],
  ])('is refused when %s, and nothing of it is told', async (_, spoil, words) =>
    withHome(async (folder) => {
      const path = at(folder);
      await createIdentity({ path, name: 'ana' });
      await spoil(path);
      const error = await readIdentity(path).catch((refusal: unknown) => refusal);
      expect(error).toMatchObject({ code: 'MEDIC_IDENTITY_UNREADABLE', message: expect.stringMatching(words) });
      expect(String(error)).not.toMatch(/PRIVATE|ed25519:/);
    }),
  );

  it('cannot be written where a file is in the way', () =>
    withHome(async (folder) => {
      await writeFile(join(folder, 'deep'), '');
      await expect(createIdentity({ path: at(folder), name: 'ana' })).rejects.toMatchObject({
        code: 'MEDIC_IDENTITY_UNWRITABLE',
      });
    }));

  it("lies in the user's configuration", () => {
    expect(usualIdentityFile({}, '/home/ana')).toBe('/home/ana/.config/medic/identity.json');
    expect(usualIdentityFile({ XDG_CONFIG_HOME: '/c' }, '/home/ana')).toBe('/c/medic/identity.json');
  });
});
