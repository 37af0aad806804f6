/** Variables named like these hold secrets. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL/i;

/** These say where a secret is; masking the place would hide paths from a diagnosis and protect nothing. */
const PLACE_NAME = /_(?:FILE|PATH|DIR)$/i;

/**
 * The values of an environment that must never leave this process, for `redact`. Chosen by the name of the variable.
 *
 * @param env - usually `process.env`, read again for each redaction or once at start
 */
export function ownSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value && isSecretName(name) ? [value.trim()] : []));
}

/** Does a setting of this name hold a secret? */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !PLACE_NAME.test(name);
