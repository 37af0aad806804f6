import { describe, expect, it } from '@jest/globals';
import { isSecretName, ownSecrets } from '../../../src/evidence/own-secrets.js';
import { redact } from '../../../src/evidence/redact.js';

describe('the secrets of the own environment', () => {
  it('are the values of variables that are named like secrets', () => {
    const env = {
      ANTHROPIC_API_KEY: 'k-12345678',
      dbPassword: 'p-12345678',
      GH_TOKEN: ' t-12345678\n',
      HOME: '/home/medic',
    };
    expect(ownSecrets(env)).toEqual(['k-12345678', 'p-12345678', 't-12345678']);
  });

  it('are not the places where secrets are kept', () => {
    expect(
      ownSecrets({
        TLS_KEY_PATH: '/etc/medic/key.pem',
        TOKEN_FILE: '/run/token',
        EMPTY_SECRET: '',
        NO_TOKEN: undefined,
      }),
    ).toEqual([]);
  });

  it('are masked wherever they turn up', () => {
    const known = ownSecrets({ MEDIC_SECRET: 'correct horse' });
    expect(redact('the words "correct horse" again', { known }).text).toBe('the words "[redacted]" again');
  });

  it.each(['apiKey', 'MEDIC_TOKEN', 'client-secret', 'credentials'])('are named like %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });
});
