import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFileStore } from '../../../src/evidence/file-store.js';
import { withHome } from './home.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const fileOf = (home: string, sha: string) => join(home, 'evidence', sha.slice(0, 2), sha.slice(2));

describe('the evidence store in files', () => {
  it('keeps a body under its hash and gives it back', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const sha = sha256('tikv-2 exited (137)\n');
      expect(await store.put('tikv-2 exited (137)\n')).toEqual({ sha256: sha, bytes: 20 });
      expect(await readFile(fileOf(home, sha), 'utf8')).toBe('tikv-2 exited (137)\n');
      expect(await store.get(sha)).toBe('tikv-2 exited (137)\n');
      expect(await store.has(sha)).toBe(true);
    }));

  it('counts bytes, not characters, and takes bytes as well as text', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const asText = await store.put('µs');
      expect(asText.bytes).toBe(3);
      expect(await store.put(new TextEncoder().encode('µs'))).toEqual(asText);
    }));

  it('gives back whatever text was put', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const check = fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2000 }), async (text) => {
        expect(await store.get((await store.put(text)).sha256)).toBe(text);
      });
      await fc.assert(check, { numRuns: 25 });
    }));

  it('stores a body once, however often and from wherever it is put at the same time', () =>
    withHome(async (home) => {
      const stores = [createFileStore({ home }), createFileStore({ home })];
      const [first] = await Promise.all(Array.from({ length: 20 }, (_, i) => stores[i % 2]!.put('the same')));
      expect(await readdir(join(home, 'evidence', first!.sha256.slice(0, 2)))).toEqual([first!.sha256.slice(2)]);
    }));

  it('says which body is missing', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const sha = sha256('never put');
      expect(await store.has(sha)).toBe(false);
      await expect(store.get(sha)).rejects.toMatchObject({
        code: 'MEDIC_EVIDENCE_MISSING',
        message: `no evidence ${sha} in ${join(home, 'evidence')}`,
      });
    }));

  it('does not follow a hash that is no hash out of its folder', () =>
    withHome(async (home) => {
      await writeFile(join(home, 'outside'), 'x');
      const store = createFileStore({ home });
      expect(await store.has('../outside')).toBe(false);
      await expect(store.get('../outside')).rejects.toMatchObject({ code: 'MEDIC_EVIDENCE_MISSING' });
    }));

  it('refuses a body that was changed on disk, and mends it when it is put again', () =>
    withHome(async (home) => {
      const store = createFileStore({ home });
      const { sha256: sha } = await store.put('exit 137');
      await writeFile(fileOf(home, sha), 'exit 000');
      await expect(store.get(sha)).rejects.toMatchObject({
        code: 'MEDIC_EVIDENCE_CORRUPT',
        message: `${fileOf(home, sha)} holds 8 bytes with hash ${sha256('exit 000')}`,
      });
      await store.put('exit 137');
      expect(await store.get(sha)).toBe('exit 137');
    }));

  it('lets only the owner read', () =>
    withHome(async (home) => {
      const { sha256: sha } = await createFileStore({ home }).put('confidential');
      expect(((await stat(fileOf(home, sha))).mode & 0o777).toString(8)).toBe('600');
      expect(((await stat(join(home, 'evidence'))).mode & 0o777).toString(8)).toBe('700');
    }));
});
