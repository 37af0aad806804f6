import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type AnswerOptions, answerAs } from '../../../src/cli/answer.js';
import { newIdentity, showIdentity } from '../../../src/cli/identity.js';
import { isSignedBy } from '../../../src/policy/signature.js';
import { PROPOSAL } from '../../support/killed-store.js';
import { temporaryFolder } from '../runtime/process/temporary.js';
import { paper } from './paper.js';

const NOW = Date.parse('2026-01-02T03:00:00.000Z');
const PENDING = {
  proposal: PROPOSAL,
  ruling: null,
  basis: [],
  basisHash: 'cafe',
  expiresAt: '2026-01-02T03:29:00.000Z',
  run: 'run-1',
  need: null,
  approvals: [],
};
const answer = (options: AnswerOptions = {}, pending = PENDING) =>
  answerAs(options, { pending, said: { answer: 'approve', note: 'go' }, now: NOW });

let usual: string | undefined;
beforeEach(() => {
  usual = process.env.XDG_CONFIG_HOME;
  process.env.XDG_CONFIG_HOME = temporaryFolder();
});
afterEach(() => {
  if (usual === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = usual;
});

async function create(file?: string): Promise<{ name: string; key: string }> {
  const { screen, out } = paper();
  expect(await newIdentity({ name: 'ana', file }, screen)).toBe(0);
  const [line = ''] = out();
  return (parse(line) as { name: string; key: string }[])[0]!;
}

describe('medic identity', () => {
  it('prints the line for medic.yaml, and the same again', async () => {
    const made = await create();
    expect(made).toEqual({ name: 'ana', key: expect.stringMatching(/^ed25519:/), roles: ['approver'] });
    const { screen, out, err } = paper();
    await showIdentity({}, screen);
    expect(parse(out()[0] ?? '')).toEqual([made]);
    expect(err()[0]).toBe(`The private key is in ${process.env.XDG_CONFIG_HOME}/medic/identity.json, for you alone.`);
  });

  it('refuses a name that medic.yaml would refuse, and says that there is none to show', async () => {
    const { screen } = paper();
    await expect(newIdentity({ name: 'Ana B' }, screen)).rejects.toMatchObject({ code: 'MEDIC_USAGE' });
    await expect(showIdentity({}, screen)).rejects.toMatchObject({ code: 'MEDIC_IDENTITY_UNREADABLE' });
  });

  it('warns of a key in a repository', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.git'));
    const { screen, err } = paper();
    await newIdentity({ name: 'ana', file: join(folder, 'deep', 'key.json') }, screen);
    expect(err().at(-1)).toBe(`It lies in the repository ${folder}: never commit it.`);
  });
});

describe('an answer from the command line', () => {
  it('is signed by the identity, bound to proposal, basis and run, and holds as long as the proposal waits', async () => {
    const { key } = await create();
    const said = await answer();
    expect(said).toMatchObject({
      ...{ proposal: PROPOSAL.id, basisHash: 'cafe', answer: 'approve', by: 'ana', note: 'go' },
      expiresAt: PENDING.expiresAt,
    });
    expect(isSignedBy({ run: 'run-1', answer: said, key })).toBe(true);
  });

  it('holds for 15 minutes at least, for as long as is said, and never for a day', async () => {
    const until = async (options: AnswerOptions, expiresAt: string) =>
      (await answer(options, { ...PENDING, expiresAt })).expiresAt;
    expect(await until({}, '2026-01-02T03:01:00.000Z')).toBe('2026-01-02T03:15:00.000Z');
    expect(await until({}, '2026-02-02T03:01:00.000Z')).toBe('2026-01-03T02:00:00.000Z');
    expect(await until({ for: 60_000 }, '2026-01-02T03:29:00.000Z')).toBe('2026-01-02T03:01:00.000Z');
  });

  it('is unsigned without an identity, or when that is asked for', async () => {
    expect(await answer({ by: 'ben' })).toMatchObject({ by: 'ben' });
    await create();
    const said = await answer({ by: 'ben', unsigned: true });
    expect([said.by, said.signature]).toEqual(['ben', undefined]);
  });

  it('is refused in the name of another, and with an identity that is not there', async () => {
    const file = join(temporaryFolder(), 'key.json');
    await expect(answer({ identity: file })).rejects.toMatchObject({ code: 'MEDIC_IDENTITY_UNREADABLE' });
    await create(file);
    await expect(answer({ identity: file, by: 'ben' })).rejects.toMatchObject({
      code: 'MEDIC_USAGE',
      message: "the identity is ana's, so ben cannot sign with it",
    });
    expect(await answer({ identity: file, by: 'ana' })).toMatchObject({ by: 'ana', signature: expect.any(String) });
  });
});
