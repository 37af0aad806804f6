import { describe, expect, it } from '@jest/globals';
import { securityFor, temporalOf } from '../../../src/runtime/temporal-env.js';

const CLOUD = { TEMPORAL_ADDRESS: 'medic.example.com:7233', TEMPORAL_API_KEY: 'k' };

describe('a Temporal that is there already', () => {
  it('is named by the variables of its own command line; without them Medic brings its own', () => {
    expect(temporalOf({})).toBeNull();
    expect(temporalOf({ TEMPORAL_ADDRESS: '' })).toBeNull();
    expect(temporalOf(CLOUD)).toEqual({ address: 'medic.example.com:7233', namespace: 'default' });
    expect(temporalOf({ ...CLOUD, TEMPORAL_NAMESPACE: 'medic' })?.namespace).toBe('medic');
  });

  it('is talked to over TLS with a key or certificates, and only that one gets them', () => {
    expect(securityFor(CLOUD.TEMPORAL_ADDRESS, CLOUD)).toEqual({ tls: true, apiKey: 'k' });
    expect(securityFor('127.0.0.1:7233', CLOUD)).toEqual({});
    const { TEMPORAL_ADDRESS } = CLOUD;
    expect(securityFor(TEMPORAL_ADDRESS, { TEMPORAL_ADDRESS })).toEqual({});
    const files = (name: string) => `tests/fixtures/tls/${name}`;
    const own = {
      TEMPORAL_ADDRESS,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: files('ca.pem'),
      TEMPORAL_TLS_CLIENT_CERT_PATH: files('client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: files('client.key'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
    };
    expect(securityFor(TEMPORAL_ADDRESS, own)).toEqual({
      tls: {
        serverRootCACertificate: expect.any(Buffer),
        serverNameOverride: 'temporal.internal',
        clientCertPair: { crt: expect.any(Buffer), key: expect.any(Buffer) },
      },
    });
  });

  it('is refused a file that cannot be read, by its name', () => {
    const wrong = { ...CLOUD, TEMPORAL_TLS_CLIENT_KEY_PATH: 'nowhere.key' };
    expect(() => securityFor(CLOUD.TEMPORAL_ADDRESS, wrong)).toThrow(
      expect.objectContaining({ code: 'MEDIC_SECRET_MISSING', message: 'the file nowhere.key' }),
    );
  });
});
