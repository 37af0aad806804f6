import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { connectLab } from '../../subjects/tikv/lab/labd/client.js';
import { loadAgent } from '../config/agent.js';
import { loadBudget } from '../config/budget.js';
import { loadMedic, type MedicConfig } from '../config/medic.js';
import { loadPolicy } from '../config/policy.js';
import type { FleetSubject } from '../config/subject.js';
import { MedicError } from '../domain/errors.js';
import { connectClient } from '../runtime/connection.js';
import { contentFiles } from '../runtime/content.js';
import { readInstance } from '../runtime/process/instance.js';
import { temporalCli } from '../runtime/process/temporal-cli.js';
import { workflowBundlePath } from '../runtime/replay.js';
import { readAccess } from '../runtime/worker/access.js';
import { configFile } from './config-file.js';
import { clusterFindings } from './doctor/cluster.js';
import { check, type Finding, fix, ok, wordsOf } from './doctor/finding.js';
import { hostFindings } from './doctor/hosts.js';
import { installationFindings } from './doctor/installation.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { printTable } from './table.js';

export interface DoctorOptions {
  readonly home: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** `medic doctor`: what is in order, and what to do about the rest. */
export async function doctor({ home, config: asked, json }: DoctorOptions, screen: Screen): Promise<number> {
  const { policyFile, budgetFile, agentFile, ...files } = contentFiles();
  const read = await readMedic(asked);
  const findings: Finding[] = [
    await check('node', () => nodeVersion()),
    await check('build', () => workflowBundlePath()),
    await check('temporal cli', () => temporalCli()),
    await check('home', () => writable(home)),
    await check('policy', async () => `${(await loadPolicy(policyFile)).sha256.slice(0, 12)} policies/lab.yaml`),
    await check('budget', async () => `${(await loadBudget(budgetFile)).ceilings.monthUsd} USD a month`),
    await check('agent', async () => {
      const agent = await loadAgent(agentFile);
      return `${agent.name} ${agent.version}`;
    }),
    ...read.findings,
    ...(await installationFindings({ home, config: read.config, files, env: process.env })),
    ...(await fleetFindings(read.config)),
    ...(await runningChecks(home)),
  ];
  if (json) printJson(screen, 'doctor', findings);
  else
    printTable(screen, {
      heads: ['CHECK', 'STATE', 'SEEN'],
      rows: findings.map((f) => [f.check, f.state, f.seen]),
    });
  if (findings.some((f) => f.state === 'unreachable')) return EXIT.connection;
  return findings.some((f) => f.state === 'fix') ? EXIT.findings : EXIT.ok;
}

/** A medic.yaml with a mistake is a finding; the other checks go on without it. */
async function readMedic(asked: string | undefined): Promise<{ config: MedicConfig; findings: Finding[] }> {
  try {
    const path = configFile(asked);
    const config = await loadMedic(path);
    return { config, findings: path === null ? [] : [ok('medic.yaml', path)] };
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    return { config: await loadMedic(null), findings: [fix('medic.yaml', wordsOf(error))] };
  }
}

async function fleetFindings({ subjects }: MedicConfig): Promise<Finding[]> {
  const deps = {
    access: ({ pd }: FleetSubject) => readAccess(pd, process.env),
    now: Date.now,
    path: process.env.PATH ?? '/usr/bin:/bin',
    env: process.env,
  };
  const each = await Promise.all(
    subjects.map(async (subject) => [
      ...(await clusterFindings(subject, deps)),
      ...(await hostFindings(subject, deps)),
    ]),
  );
  return each.flat();
}

function nodeVersion(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return process.versions.node;
  throw new Error(`${process.versions.node}; 20.19 or newer is needed`);
}

/** The home, or where it would be made. */
function writable(home: string): string {
  const folder = resolve(home);
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) throw new MedicError('MEDIC_HOME_UNWRITABLE', `${existing} is no folder`);
  accessSync(existing, constants.W_OK);
  return folder;
}

async function runningChecks(home: string): Promise<Finding[]> {
  try {
    const instance = readInstance({ home });
    return [
      { check: 'instance', state: 'ok', seen: `pid ${instance.pid} since ${instance.since}` },
      await check('temporal', () => reachTemporal(instance), 'unreachable'),
      await check('lab', () => reachLab(instance.labDir), 'unreachable'),
    ];
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    return [{ check: 'instance', state: 'not running', seen: `${error.message}. ${error.next}` }];
  }
}

async function reachTemporal(instance: {
  address: string;
  namespace: string;
  taskQueuePrefix: string;
}): Promise<string> {
  const { client, connection } = await connectClient(instance);
  try {
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace: instance.namespace,
      taskQueue: { name: instance.taskQueuePrefix },
      taskQueueType: 1,
    });
    if (!pollers?.length)
      throw new Error(`${instance.address} answers, but no worker polls ${instance.taskQueuePrefix}`);
    return `${instance.address}, ${pollers.length} poller(s)`;
  } finally {
    await connection.close();
  }
}

async function reachLab(dir: string | undefined): Promise<string> {
  if (!dir) return 'the subject is no lab';
  const nodes = await connectLab(dir).ps();
  const bad = nodes.filter((node) => node.state !== 'running');
  if (bad.length > 0) throw new Error(bad.map((node) => `${node.name} ${node.state}`).join(', '));
  return `${nodes.length} nodes run`;
}
