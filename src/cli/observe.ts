import { resolve } from 'node:path';
import { loadMedic } from '../config/medic.js';
import type { FleetSubject } from '../config/subject.js';
import { parseSubject } from '../config/subject.js';
import { MedicError } from '../domain/errors.js';
import { checkedConfig } from './config-file.js';
import { careFor, type FleetUpOptions, needCluster } from './fleet.js';
import { checkReasoner } from './reasoner.js';
import type { Screen } from './screen.js';

/** A PD as the command line names it. */
export interface PdOptions {
  /** One URL or more, with commas between them. */
  readonly pd: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

export interface ObserveOptions extends FleetUpOptions, PdOptions {
  readonly subject: string;
  readonly config?: string;
}

/**
 * `medic observe --pd URL`: watches a cluster that Medic did not make, with no access to its hosts. Tickets and proposals
 * are made as ever; nothing runs and nothing can be approved.
 */
export async function observe(options: ObserveOptions, screen: Screen): Promise<number> {
  await checkReasoner(options.reasoner, process.env);
  const configFile = await checkedConfig(options.config);
  const subject = subjectOf(options.subject, options);
  await needCluster(subject, options.profile);
  const { intake } = await loadMedic(configFile);
  return careFor([subject], { ...options, configFile, intake }, screen);
}

/** The subject that the options describe, checked as if it stood in medic.yaml. Throws `MEDIC_USAGE`. */
export function subjectOf(name: string, { pd, ca, cert, key, serverName }: PdOptions): FleetSubject {
  const tls = {
    ...place('ca', ca),
    ...place('cert', cert),
    ...place('key', key),
    ...(serverName ? { serverName } : {}),
  };
  const endpoints = pd.split(',').map((text) => text.trim());
  const described = {
    name,
    type: 'tikv',
    environment: 'observed',
    autonomy: 'observe',
    pd: { endpoints, ...(Object.keys(tls).length > 0 ? { tls } : {}) },
  };
  const parsed = parseSubject(described);
  if (typeof parsed === 'string') throw new MedicError('MEDIC_USAGE', parsed, 'See `./medic observe --help`.');
  return parsed;
}

const place = (part: string, path: string | undefined) =>
  path === undefined ? {} : { [part]: { file: resolve(path) } };
