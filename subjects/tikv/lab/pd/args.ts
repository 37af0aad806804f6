import { parseArgs } from 'node:util';
import { PROFILES, type Profile, type ProfileName } from '../../profiles.js';
import { type Member, type MemberUrls, membersOf } from './members.js';

/** The start line of a member, understood. */
export interface PdArgs {
  readonly self: Member;
  readonly members: readonly Member[];
  readonly dataDir: string;
  readonly profile: Profile;
}

/** What is wrong with a start line, and what would be right. */
export class BadArgs extends Error {
  override readonly name = 'BadArgs';
}

const OPTIONS = {
  name: { type: 'string' },
  'data-dir': { type: 'string' },
  'client-url': { type: 'string' },
  'peer-url': { type: 'string' },
  'initial-cluster': { type: 'string' },
  'initial-clients': { type: 'string' },
  profile: { type: 'string', default: 'fast' },
} as const;

/**
 * Reads `--name pd-0 --data-dir D --client-url U --peer-url U --initial-cluster pd-0=U,... --initial-clients pd-0=U,...
 * --profile fast|real`.
 *
 * @throws BadArgs for a missing or impossible value, TypeError for an unknown option
 */
export function parsePdArgs(argv: readonly string[]): PdArgs {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS });
  const [name, dataDir] = [need('name', values.name), need('data-dir', values['data-dir'])];
  const peers = urlsOf('initial-cluster', values['initial-cluster']);
  const clients = urlsOf('initial-clients', values['initial-clients']);
  const urls = [...peers].map(([each, peerUrl]): MemberUrls => {
    const clientUrl = clients.get(each);
    if (clientUrl === undefined) throw new BadArgs(`--initial-clients has no address of ${each}`);
    return { name: each, peerUrl, clientUrl };
  });
  const members = membersOf(urls);
  const self = members.find((member) => member.name === name);
  if (self === undefined) throw new BadArgs(`--initial-cluster has no member ${name}`);
  agree('client-url', values['client-url'], self.clientUrl);
  agree('peer-url', values['peer-url'], self.peerUrl);
  return { self, members, dataDir, profile: profileOf(values.profile) };
}

function need(option: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new BadArgs(`--${option} is missing`);
  return value;
}

function agree(option: string, value: string | undefined, listed: string): void {
  if (need(option, value) !== listed) throw new BadArgs(`--${option} is ${value}, but the list has ${listed}`);
}

function urlsOf(option: string, list: string | undefined): Map<string, string> {
  return new Map(
    need(option, list)
      .split(',')
      .map((pair) => {
        const [name = '', url = ''] = pair.split('=');
        if (name === '' || !URL.canParse(url)) throw new BadArgs(`--${option}: ${pair} is not NAME=URL`);
        return [name, url];
      }),
  );
}

function profileOf(name: string): Profile {
  if (name in PROFILES) return PROFILES[name as ProfileName];
  throw new BadArgs(`--profile is ${name}; it can be ${Object.keys(PROFILES).join(' or ')}`);
}
