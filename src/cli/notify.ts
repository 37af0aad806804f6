import { randomUUID } from 'node:crypto';
import { loadMedic, type NotifyTarget } from '../config/medic.js';
import { readSecret } from '../config/secret-source.js';
import { MedicError } from '../domain/errors.js';
import { instant } from '../domain/ids.js';
import type { Notification } from '../domain/notification.js';
import { post } from '../notify/post.js';
import { requestOf } from '../notify/request.js';
import { configFile } from './config-file.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { printTable } from './table.js';

export interface NotifyOptions {
  readonly config?: string;
  readonly json?: boolean;
}

interface Tested {
  readonly target: string;
  readonly type: NotifyTarget['type'];
  readonly state: 'ok' | 'fix' | 'unreachable';
  readonly seen: string;
}

const WITHIN_MS = 10_000;

/** `medic notify test`: sends one notification to each target of medic.yaml, and says what it answered. */
export async function testNotify({ config, json }: NotifyOptions, screen: Screen): Promise<number> {
  const { notify } = await loadMedic(configFile(config));
  const tested = await Promise.all(notify.map(test));
  if (json) printJson(screen, 'notify-test', tested);
  else if (tested.length === 0) screen.err('nobody is to be told: there is no `notify` in medic.yaml');
  else
    printTable(screen, {
      heads: ['TARGET', 'TYPE', 'STATE', 'SEEN'],
      rows: tested.map((each) => [each.target, each.type, each.state, each.seen]),
    });
  if (tested.some(({ state }) => state === 'fix')) return EXIT.findings;
  return tested.some(({ state }) => state === 'unreachable') ? EXIT.connection : EXIT.ok;
}

async function test(target: NotifyTarget): Promise<Tested> {
  return { target: target.name, type: target.type, ...(await answerOf(target)) };
}

async function answerOf(target: NotifyTarget): Promise<Pick<Tested, 'state' | 'seen'>> {
  try {
    const now = Date.now();
    const secret = (source: Parameters<typeof readSecret>[0]) => readSecret(source, process.env);
    const request = await requestOf({ target, notification: testOf(now), secret, now });
    const delivery = await post({ request, withinMs: WITHIN_MS, signal: new AbortController().signal });
    if (delivery.outcome === 'delivered') return { state: 'ok', seen: `it answered ${delivery.status}` };
    return { state: delivery.outcome === 'refused' ? 'fix' : 'unreachable', seen: delivery.why };
  } catch (error) {
    if (error instanceof MedicError) return { state: 'fix', seen: `${error.code}  ${error.message}. ${error.next}` };
    throw error;
  }
}

/** As the end of a ticket, so that no alert stays open at PagerDuty. */
const testOf = (now: number): Notification => ({
  event: `test.${randomUUID()}`,
  kind: 'closed',
  at: instant(now),
  ticket: null,
  severity: 'info',
  title: 'medic: this is a test',
  text: 'Somebody typed `./medic notify test`. Nothing is wrong.',
  next: './medic doctor',
});
