import { request } from 'node:http';
import { ERRORS, type ErrorCode, MedicError } from '../../../../src/domain/errors.js';
import { labPaths, readLabFile } from './files.js';
import { LOOPBACK } from './topology.js';

/** One request to the labd of a folder. */
export interface LabdRequest {
  readonly dir: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Without an answer by then labd counts as unreachable; 5 s by default. */
  readonly timeoutMs?: number;
}

/**
 * Asks labd. Address and token are read afresh each time, so a labd that was restarted is found again.
 *
 * Built on `node:http` alone: labctl uses it, and must start fast.
 *
 * @throws MedicError `MEDIC_LAB_NOT_RUNNING` without an answer, or the code that labd answered with
 */
export async function askLabd({ dir, method, path, timeoutMs = 5_000 }: LabdRequest): Promise<unknown> {
  const lab = readLabFile(dir);
  if (lab === undefined)
    throw new MedicError('MEDIC_LAB_NOT_RUNNING', `${labPaths(dir).lab} does not exist: no lab was made here`);
  const headers = { authorization: `Bearer ${lab.token}` };
  const { status, text } = await exchange({
    host: LOOPBACK,
    port: lab.basePort,
    method,
    path,
    headers,
    timeout: timeoutMs,
  });
  if (status === 200) return JSON.parse(text);
  throw status === 401 ? notRunning(lab.basePort, 'another labd has the port') : refusal(text);
}

interface Exchange {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly timeout: number;
}

function exchange(options: Exchange): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(notRunning(options.port, (error as NodeJS.ErrnoException).code ?? error.message));
    const sent = request({ ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', fail);
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${options.timeout} ms`)));
    sent.on('error', fail).end();
  });
}

function notRunning(port: number, why: string): MedicError {
  return new MedicError('MEDIC_LAB_NOT_RUNNING', `labd does not answer on ${LOOPBACK}:${port} (${why})`);
}

function refusal(text: string): MedicError {
  const { code, message } = parseRefusal(text);
  return code !== undefined && code in ERRORS
    ? new MedicError(code as ErrorCode, message ?? text)
    : new MedicError('MEDIC_LAB_FAILED', text);
}

function parseRefusal(text: string): { code?: string; message?: string } {
  try {
    return JSON.parse(text) as { code?: string; message?: string };
  } catch {
    return {};
  }
}
