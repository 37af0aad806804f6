import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLocalHost } from '../../../src/host/local.js';
import { createSshHost } from '../../../src/host/ssh.js';
import { withHome } from '../evidence/home.js';

/** What sshd does with the words after the address: one text for the user's shell. */
const SSH = `#!/bin/sh
echo "$@" >> "$HOME/ssh-arguments"
while [ "$1" != -- ]; do shift; done
[ "$2" = away ] && { echo "ssh: connect to host away port 22: Connection refused" >&2; exit 255; }
shift 2
exec sh -c "$*"
`;

const withSsh = <T>(
  work: (on: { host(address?: string): ReturnType<typeof createSshHost>; home: string }) => Promise<T>,
) =>
  withHome((home) => {
    writeFileSync(join(home, 'ssh'), SSH);
    chmodSync(join(home, 'ssh'), 0o755);
    const from = createLocalHost({ name: 'here', path: `${home}:/usr/bin:/bin`, env: { HOME: home } });
    return work({ home, host: (address = 'kv-1') => createSshHost({ name: 'kv-1', address, from }) });
  });

describe('a host behind ssh', () => {
  it.each([
    [`echo "it's $((1 + 1))"`, 0, "it's 2\n"],
    [`printf '%s|' a 'b c' "d'e"; exit 3`, 3, "a|b c|d'e|"],
    ['echo $0; [[ a == a ]] && echo bash', 0, 'bash\nbash\n'],
  ])('runs exactly what was asked, by bash: %s', (command, exitCode, head) =>
    withSsh(async ({ host }) => {
      expect(await host().run({ command, timeoutMs: 10_000 })).toMatchObject({ exitCode, head, failure: null });
    }),
  );

  it('that cannot be reached ran nothing, and the reason is what ssh said', () =>
    withSsh(async ({ host }) => {
      expect(await host('away').run({ command: 'true', timeoutMs: 10_000 })).toMatchObject({
        exitCode: null,
        failure: 'ssh: connect to host away port 22: Connection refused',
      });
    }));
});
