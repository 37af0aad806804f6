import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure, type Workflow } from '@temporalio/common';
import {
  BUDGET_ID,
  type BudgetInput,
  MESSAGES,
  QUERIES,
  type ReserveRequest,
  WORKFLOWS,
} from '../../workflows/contract.js';
import type { Ceilings } from '../domain/ceilings.js';
import { MedicError } from '../domain/errors.js';
import type { Ledger } from '../domain/ledger-state.js';
import type { BudgetPort, ReserveAnswer, Settlement } from '../domain/reservation.js';
import { inTurns } from './in-turns.js';

export interface BudgetClientOptions {
  readonly client: Client;
  readonly taskQueue: string;
  /** The present configuration, read anew for each reservation. What it throws is thrown by `reserve`. */
  readonly ceilings: () => Promise<Ceilings>;
  readonly now: () => number;
  /** What the ledger begins with when there is none. Default: nothing was spent. */
  readonly begin?: () => Promise<BudgetInput>;
  /** One try of a call, in ms. Default 10 s. */
  readonly tryMs?: number;
  /** All tries of a call together, in ms. Default 45 s. */
  readonly giveUpMs?: number;
}

/** The server takes ten updates in flight on one workflow, over all its clients. */
const UPDATES_IN_FLIGHT = 4;
const TRY_MS = 10_000;
const GIVE_UP_MS = 45_000;
const PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Asks the budget through Temporal, and starts it when there is none. A call that was not answered is sent again with the
 * same update id, so that it is carried out once: the server knows the id within one run of the workflow, and the
 * ledger knows the reservation beyond it.
 *
 * Both throw MedicError `MEDIC_BUDGET_UNREACHABLE` when there is no answer in time: whether it was carried out is then not known, and
 * nothing may be spent. `MEDIC_BUDGET_SHAPE`: what was sent is malformed, which is a bug of the caller.
 */
export function createBudgetClient(options: BudgetClientOptions): BudgetPort {
  const turns = inTurns(UPDATES_IN_FLIGHT);
  const ask = <Answer, Body>(message: Message<Body>): Promise<Answer> => turns(() => insist(options, message));

  return {
    async reserve(reservation) {
      const body: ReserveRequest = { reservation, ceilings: await options.ceilings() };
      return ask<ReserveAnswer, ReserveRequest>({ name: MESSAGES.reserve, id: `${reservation.id}.reserve`, body });
    },
    async settle(settlement) {
      const id = `${settlement.id}.settle.${settlement.outcome.kind}`;
      await ask<void, Settlement>({ name: MESSAGES.settle, id, body: settlement });
    },
  };
}

/** One update; `id` is the same however often it is sent. */
interface Message<Body> {
  readonly name: string;
  readonly id: string;
  readonly body: Body;
}

async function insist<Answer, Body>(options: BudgetClientOptions, message: Message<Body>): Promise<Answer> {
  const { now, giveUpMs = GIVE_UP_MS } = options;
  const end = now() + giveUpMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await send(options, message, end);
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) throw refusedBy(error);
      const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
      if (isFinal(error) || now() + pauseMs >= end) throw unreachable(message, error);
      await pause(pauseMs);
    }
  }
}

async function send<Answer, Body>(options: BudgetClientOptions, message: Message<Body>, end: number): Promise<Answer> {
  const { client, now, tryMs = TRY_MS } = options;
  const leftMs = Math.max(1, Math.min(tryMs, end - now()));
  const { name, id, body } = message;
  try {
    return await client.withDeadline(Date.now() + leftMs, () =>
      client.workflow.getHandle(BUDGET_ID).executeUpdate<Answer, [Body]>(name, { updateId: id, args: [body] }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return await sendWithStart(options, message, leftMs);
  }
}

async function sendWithStart<Answer, Body>(
  { client, taskQueue, begin }: BudgetClientOptions,
  { name, id, body }: Message<Body>,
  leftMs: number,
): Promise<Answer> {
  const input: BudgetInput = (await begin?.()) ?? {};
  // Good for one try only.
  const start = new WithStartWorkflowOperation(WORKFLOWS.budget, {
    workflowId: BUDGET_ID,
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue,
    args: [input],
    staticSummary: 'what paid calls cost, and what they may cost',
  });
  return client.withDeadline(Date.now() + leftMs, () =>
    client.workflow.executeUpdateWithStart<Workflow, Answer, [Body]>(name, {
      updateId: id,
      args: [body],
      startWorkflowOperation: start,
    }),
  );
}

/** INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED: asking again gets the same. */
const FINAL_CODES = [3, 7, 12, 16];

function isFinal(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcServiceError(cause) && FINAL_CODES.includes(cause.code);
}

function refusedBy(error: WorkflowUpdateFailedError): Error {
  const isShape = error.cause instanceof ApplicationFailure && error.cause.type === 'MEDIC_BUDGET_SHAPE';
  return isShape ? new MedicError('MEDIC_BUDGET_SHAPE', error.cause.message) : error;
}

function unreachable({ name, id }: Message<unknown>, error: unknown): MedicError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const words = cause instanceof Error ? cause.message : String(cause);
  return new MedicError('MEDIC_BUDGET_UNREACHABLE', `the budget did not answer \`${name}\` (${id}): ${words}`);
}

/** A query needs a worker; without one it fails only after half a minute. */
const QUERY_MS = 8_000;

/** The ledger as it is; `null` when no paid call was ever asked for. Throws what Temporal's client throws. */
export async function readLedger(client: Client): Promise<Ledger | null> {
  try {
    const handle = client.workflow.getHandle(BUDGET_ID);
    return await client.withDeadline(Date.now() + QUERY_MS, () => handle.query<Ledger>(QUERIES.ledger));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
