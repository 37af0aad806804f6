import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { gather, packBundle, unpackBundle } from '../../../src/evidence/bundle.js';
import { createFileStore } from '../../../src/evidence/file-store.js';
import { archivedKill } from '../../support/killed-store.js';
import { withHome } from './home.js';

/** A ticket whose record names a body that the store has, and one that it has not. */
const packed = () =>
  withHome(async (home) => {
    const store = createFileStore({ home });
    const { sha256 } = await store.put('tikv-2 exited');
    const archived = { ...archivedKill({}), report: `see ${sha256} and ${'0'.repeat(64)}` };
    const bundle = await gather(archived, { store, content: { 'lab.yaml': 'abc' } });
    return { archived, sha256, bytes: await packBundle(bundle) };
  });

describe('an exported ticket', () => {
  it('holds the record, every body that it names and that is there, and which files were in force', async () => {
    const { archived, sha256, bytes } = await packed();
    const { bodies, content, archived: read } = await unpackBundle(bytes, 'x.gz');
    expect(read).toEqual(JSON.parse(JSON.stringify(archived)));
    expect([...bodies]).toContainEqual([sha256, 'tikv-2 exited']);
    expect([...bodies.keys()]).not.toContain('0'.repeat(64));
    expect(content).toEqual({ 'lab.yaml': 'abc' });
  });

  it('is refused when a body was changed on its way', async () => {
    const { sha256, bytes } = await packed();
    const changed = gzipSync(gunzipSync(bytes).toString().replace('tikv-2 exited', 'tikv-2 exists'));
    await expect(unpackBundle(changed, 'x.gz')).rejects.toMatchObject({
      code: 'MEDIC_BUNDLE_UNREADABLE',
      message: expect.stringMatching(new RegExp(`^x\\.gz: the body ${sha256} has the hash [0-9a-f]{64}$`)),
    });
  });

  it.each([
    ['no archive', Buffer.from('hello'), 'x.gz: it is none'],
    ['another JSON', gzipSync('{"apiVersion":"medic/v1","kind":"report"}'), 'x.gz: its `kind` is not as expected'],
  ])('is not made of %s', async (_what, bytes, message) => {
    await expect(unpackBundle(bytes, 'x.gz')).rejects.toMatchObject({ code: 'MEDIC_BUNDLE_UNREADABLE', message });
  });
});
