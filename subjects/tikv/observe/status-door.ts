import type { HttpAccess, HttpAsk } from './http.js';

/**
 * Where a store's status port is reached. TiKV serves it over TLS with the certificates of the cluster as soon as there are
 * some; a token is for a proxy in front of PD and no business of the stores.
 */
export const statusDoor = (address: string, access: HttpAccess = {}): Pick<HttpAsk, 'origin' | 'access'> =>
  access.tls ? { origin: `https://${address}`, access: { tls: access.tls } } : { origin: `http://${address}` };
