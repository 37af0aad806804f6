import { existsSync } from 'node:fs';
import * as z from 'zod';
import { NOTIFICATION_KINDS, type NotificationKind } from '../domain/notification.js';
import { type Authority, NOBODY } from '../policy/authority.js';
import { Intake, type IntakeConfig } from './intake.js';
import { differ, name } from './name.js';
import { AUTHORITY, checkPeople, toAuthority } from './people.js';
import { SecretSource } from './secret-source.js';
import { type FleetSubject, Subjects } from './subject.js';
import { tellsKnown, Waits, type WaitsConfig, waitsOf } from './waits.js';
import { parseYaml, readConfigText } from './yaml-file.js';

const Name = name('team-hook');
const Kinds = z.array(z.enum(NOTIFICATION_KINDS)).min(1);
const Url = z.string().refine(isHttp, { error: 'must be an address like `https://hooks.example.com/medic`' });

/** Medic's own form, signed: for whatever the team has. */
const Webhook = z
  .strictObject({ name: Name, type: z.literal('webhook'), url: Url, secret: SecretSource, on: Kinds.optional() })
  .describe('a webhook');

/** Slack's address of an incoming webhook is itself the secret. */
const Slack = z
  .strictObject({ name: Name, type: z.literal('slack'), address: SecretSource, on: Kinds.optional() })
  .describe('a Slack webhook');

const PAGERDUTY = 'https://events.pagerduty.com/v2/enqueue';
/** What Medic repairs by itself wakes nobody. */
const PAGED: readonly NotificationKind[] = ['needs-you', 'escalated', 'taken', 'closed', 'budget'];

const PagerDuty = z
  .strictObject({
    name: Name,
    type: z.literal('pagerduty'),
    routingKey: SecretSource,
    url: Url.default(PAGERDUTY),
    on: Kinds.optional(),
  })
  .describe('a PagerDuty service');

const Target = z.discriminatedUnion('type', [Webhook, Slack, PagerDuty]);

const Medic = z
  .strictObject({
    version: z.literal(1),
    notify: z.array(Target).default([]).superRefine(differ),
    waits: Waits.optional(),
    ...AUTHORITY,
    subjects: Subjects,
    intake: Intake,
  })
  .describe('medic.yaml')
  .superRefine(tellsKnown)
  .superRefine(checkPeople);

/** Somebody to tell, and of what. */
export type NotifyTarget = Told<z.infer<typeof Target>>;
type Told<T> = T extends unknown ? Omit<T, 'on'> & { readonly on: readonly NotificationKind[] } : never;

export interface MedicConfig {
  readonly notify: readonly NotifyTarget[];
  /** Who may answer, and how much runs without an answer. */
  readonly authority: Authority;
  readonly waits: WaitsConfig;
  /** The clusters under care; none: the lab of the home. */
  readonly subjects: readonly FleetSubject[];
  /** Absent: no alerts are taken. */
  readonly intake?: IntakeConfig;
}

/**
 * Loads `medic.yaml`, which belongs to the people of one installation. Without the file nobody is told, nobody is known,
 * and only the lab of the home is cared for.
 *
 * @param path - `null`: there is none
 * @throws MedicError `MEDIC_CONFIG_*` with file, line and column
 */
export async function loadMedic(path: string | null): Promise<MedicConfig> {
  if (path === null || !existsSync(path))
    return { notify: [], authority: NOBODY, waits: waitsOf(undefined), subjects: [] };
  const { text } = await readConfigText(path);
  const { notify, waits, subjects, intake, ...rest } = parseYaml({ path, text }, Medic);
  return {
    notify: notify.map((target) => ({ ...target, on: target.on ?? usualKinds(target) })),
    authority: toAuthority(rest),
    waits: waitsOf(waits),
    subjects,
    ...(intake ? { intake } : {}),
  };
}

const usualKinds = ({ type }: z.infer<typeof Target>): readonly NotificationKind[] =>
  type === 'pagerduty' ? PAGED : NOTIFICATION_KINDS;

function isHttp(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username } = new URL(text);
  return /^https?:$/.test(protocol) && username === '';
}
