import { isSecretName } from '../../evidence/own-secrets.js';

/** The environment without keys and tokens: a child that needs none gets none. */
export const withoutSecrets = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isSecretName(name)));
