import * as z from 'zod';
import { SecretSource } from './secret-source.js';

const LISTEN = 'must be an address and a port like `127.0.0.1:9465`';

const Listen = z.string({ error: LISTEN }).transform((text, context) => {
  const [, host, digits] = /^([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (host !== undefined && port >= 1 && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port };
  context.addIssue({ code: 'custom', message: LISTEN, input: text });
  return z.NEVER;
});

/** `intake` of medic.yaml: where alerts of a monitoring system are taken. Absent: nowhere. */
export const Intake = z
  .strictObject({ listen: Listen.default({ host: '127.0.0.1', port: 9465 }), token: SecretSource })
  .describe('the intake')
  .optional();

/** The same, read: as a worker is told it. */
export const IntakePlace = z.strictObject({
  listen: z.strictObject({ host: z.string(), port: z.number() }),
  token: SecretSource,
});

export type IntakeConfig = z.infer<typeof IntakePlace>;
