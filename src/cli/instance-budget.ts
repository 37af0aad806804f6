import { resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import type { BudgetView } from '../domain/budget-view.js';
import { contentFiles } from '../runtime/content.js';
import { createInstanceBudget, type InstanceBudget, viewOfJournal } from '../runtime/instance-budget.js';
import { readInstance } from '../runtime/process/instance.js';

/** The budget of the instance that runs on a home. Throws `MEDIC_INSTANCE_NOT_RUNNING`. */
export const budgetOfHome = (home: string, client: Client): InstanceBudget =>
  createInstanceBudget({
    client,
    taskQueue: readInstance({ home }).taskQueuePrefix,
    home: resolve(home),
    budgetFile: contentFiles().budgetFile,
    now: Date.now,
  });

/** The budget of a home by its journal alone; `null`: the journal is empty. */
export const journalOfHome = (home: string): Promise<BudgetView | null> =>
  viewOfJournal({ home: resolve(home), budgetFile: contentFiles().budgetFile, now: Date.now });
