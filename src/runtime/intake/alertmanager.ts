import * as z from 'zod';
import type { Alert } from '../../domain/alert.js';
import { instant } from '../../domain/ids.js';
import { oneLine } from '../../evidence/plain-text.js';

const Labels = z.record(z.string(), z.string());
const time = z.iso.datetime({ offset: true });

/** What Alertmanager posts to a webhook, version 4; of each alert what is of use. */
const Webhook = z.object({
  version: z.literal('4'),
  alerts: z
    .array(
      z.object({
        status: z.enum(['firing', 'resolved']),
        labels: Labels.refine(({ alertname }) => alertname !== undefined && alertname !== '', {
          error: 'need `alertname`',
        }),
        annotations: Labels.default({}),
        startsAt: time,
      }),
    )
    .min(1),
});

export type ReadAlerts =
  | { readonly ok: true; readonly alerts: readonly Alert[] }
  /** In words for whoever sent it. */
  | { readonly ok: false; readonly why: string };

const MAX_TEXT = 200;
const MAX_NAME = 100;

/** Reads the body of a webhook. Its texts are cut and freed of control characters: they are data for a reasoner. */
export function readWebhook(body: string): ReadAlerts {
  const json = parsed(body);
  if (json === undefined) return { ok: false, why: 'the body is no JSON' };
  const result = Webhook.safeParse(json);
  if (result.success) return { ok: true, alerts: result.data.alerts.map(alertOf) };
  const [issue] = result.error.issues;
  return {
    ok: false,
    why: `the body is no webhook of Alertmanager: ${issue?.path.join('.') || 'it'}: ${issue?.message}`,
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function alertOf({ status, labels, annotations, startsAt }: z.infer<typeof Webhook>['alerts'][number]): Alert {
  const clean = Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, oneLine(value, MAX_NAME)]));
  const said = annotations.summary ?? annotations.message ?? annotations.description ?? '';
  const words = said.trim() === '' ? `alert ${labels.alertname}` : `alert ${labels.alertname}: ${said}`;
  return { status, labels: clean, text: oneLine(words, MAX_TEXT), since: instant(Date.parse(startsAt)) };
}
