import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { TargetWish } from '../../chaos/protocol.js';
import { loadAgent } from '../../src/config/agent.js';
import { loadPolicy } from '../../src/config/policy.js';
import type { Step } from '../../src/domain/proposal.js';
import { judgeStep, type StepJudgement } from '../../src/policy/judge.js';
import { createRecordedReasoner } from '../../src/reasoner/recorded.js';
import { compiledFile, packageRoot } from '../../src/runtime/package-root.js';
import { readWorkerSettings } from '../../src/runtime/worker/settings.js';
import { createTikvRoom, type TikvRoom } from '../../src/runtime/worker/tikv-room.js';
import type { TikvPicture } from '../../subjects/tikv/picture.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import { withMedic } from '../support/medic.js';
import { NO_SELF } from '../support/no-self.js';
import { until } from '../support/until.js';

const medic = withMedic();
const store = (n: number): TargetWish => ({ pick: 'named', name: `tikv-${n}` });
const medicCli = (...args: string[]) =>
  execa(process.execPath, [compiledFile('src/cli/main.ts'), ...args, '--home', medic.home], {
    reject: false,
    stdin: 'ignore',
  });

describe('a store that a person stopped', () => {
  it('is left alone: the ticket ends as no fault, and nothing was started', async () => {
    await medic.quiet();
    const { starts } = await medic.running.lab.inspect('tikv-3');
    await medic.running.lab.stop('tikv-3');
    const ticket = await medic.nextTicket();
    expect(await medic.result(ticket)).toMatchObject({ phase: 'no-fault' });
    expect(await medic.running.lab.inspect('tikv-3')).toMatchObject({
      starts,
      stoppedByRequest: true,
      state: 'exited',
    });
    expect(medic.journal()).toEqual([]);
    const concluded = (await medic.book.trail(ticket)).find((e) => e.type === 'concluded');
    expect(concluded).toMatchObject({ conclusion: 'expected' });
    await medic.running.lab.start('tikv-3');
    await medic.quiet();
  }, 240_000);
});

describe('two impaired stores at once', () => {
  let room: TikvRoom | undefined;
  afterAll(() => room?.close());

  it('the kernel refuses to stop a third with the group that would break, allows the starts, and both are repaired', async () => {
    await medic.quiet();
    room = openRoom();
    const frozen = await medicCli('freeze', '--reason', 'to look at it');
    expect(frozen).toMatchObject({ exitCode: 0, stdout: 'tikv frozen: nothing acts on it' });
    await medic.kill(store(0));
    expect((await judged('labctl stop tikv-1', 'tikv-1', null)).ruling).toMatchObject({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_QUORUM',
    });
    await medic.kill(store(1));

    const stop = await judged('labctl stop tikv-2', 'tikv-2', null);
    expect(stop.ruling).toMatchObject({ kind: 'forbidden', code: 'MEDIC_POLICY_QUORUM' });
    expect(stop.ruling.reason).toMatch(/group region-\d+ needs 2 of \{tikv-\d, tikv-\d, tikv-\d\}/);
    expect(stop.ruling.reason).toMatch(/tikv-[01] (is|exited) /);
    for (const dead of ['tikv-0', 'tikv-1'])
      expect((await judged(`labctl start ${dead}`, dead, 'start-store')).ruling).toMatchObject({
        kind: 'pre-approved',
      });
    expect((await judged('labctl start tikv-2', 'tikv-2', 'start-store')).ruling).toMatchObject({
      kind: 'forbidden',
      code: 'MEDIC_POLICY_PRECONDITION',
    });

    expect(medic.journal()).toEqual([]);
    const tickets = [await medic.nextTicket(), await medic.nextTicket()];
    expect((await medicCli('unfreeze')).exitCode).toBe(0);
    for (const ticket of tickets) expect(await medic.result(ticket)).toMatchObject({ phase: 'resolved' });
    expect(medic.journal()).toHaveLength(2);
  }, 300_000);

  const openRoom = () =>
    createTikvRoom(
      { ...readWorkerSettings(join(medic.home, 'demo', 'worker.json')), labDir: medic.running.labDir },
      {
        reasoner: createRecordedReasoner([]),
        now: Date.now,
      },
    );

  async function judged(command: string, target: string, action: string | null): Promise<StepJudgement> {
    const root = packageRoot();
    const [{ policy }, agent] = await Promise.all([
      loadPolicy(join(root, 'policies', 'lab.yaml')),
      loadAgent(join(root, 'agents', 'on-call-triage.md')),
    ]);
    const step: Step = {
      describe: command,
      action,
      target,
      call: { kind: 'shell', host: 'lab', command },
      inverse: { kind: 'none', why: 'test' },
      timeoutMs: 30_000,
    };
    const picture = await wholePicture();
    const found = TIKV.actions.find((a) => a.name === action);
    return judgeStep({
      step,
      phase: 'proposing',
      cause: { class: 'process-dead', target },
      scope: { agent: agent.name, actions: agent.actions },
      autonomy: policy.autonomy,
      policy,
      rules: {
        commandRows: TIKV.commandRows,
        httpRows: TIKV.httpRows,
        self: NO_SELF,
        endpoints: {},
      },
      quorum: TIKV.quorum(picture),
      precondition: found?.precondition(picture, target) ?? null,
      recentActs: 0,
      now: new Date().toISOString(),
      maxPictureAgeMs: 5_000,
      targetFacts: TIKV.identity(picture, target),
    });
  }

  /** The live lab's picture, as the judge takes it. */
  const wholePicture = (): Promise<TikvPicture> =>
    until(
      'a picture that PD answered',
      async () => {
        const picture = (await room?.room.eyes.observe('placement')) as TikvPicture;
        return picture.placement.known ? picture : undefined;
      },
      { deadlineMs: 30_000 },
    );
});

describe('what a person and a scraper see', () => {
  it('serves metrics of Medic and of the SDK on one endpoint', async () => {
    const text = await until(
      'the ticket counts in /metrics',
      async () => {
        const body = await (await fetch(medic.running.metricsUrl)).text();
        return body.includes('medic_tickets{phase="resolved"} 2') ? body : undefined;
      },
      { deadlineMs: 20_000 },
    );
    for (const name of [
      'medic_rulings_total{kind="pre-approved"}',
      'medic_looks_total',
      'medic_acts_total{outcome="ok"} 2',
      'medic_seconds_to_detect_count',
      'medic_seconds_to_repair_count',
      'medic_seconds_to_prove_count',
      'medic_last_observation_age_seconds{subject="tikv"}',
      'temporal_activity_execution_latency',
    ])
      expect(text).toContain(name);
  });

  it('answers the reading verbs, and refuses what makes no sense now', async () => {
    const listed = await medicCli('tickets', '--all', '--json');
    const rows = (JSON.parse(listed.stdout) as { value: { ticket: string; phase: string }[] }).value;
    expect(rows.map((row) => row.phase).sort()).toEqual(['no-fault', 'resolved', 'resolved']);
    const shown = await medicCli('show', '1');
    expect(shown.stdout).toContain('tikv/1  no-fault');
    const replayed = await medicCli('replay', 'tikv/2');
    expect(replayed).toMatchObject({ exitCode: 0 });
    expect(replayed.stdout).toContain('resolved');
    const late = await medicCli('hint', 'tikv/2', 'too late');
    expect(late).toMatchObject({ exitCode: 1 });
    expect(late.stderr).toContain('MEDIC_TICKET_CLOSED');
    expect(await medicCli('approve', 'tikv/2', '--reason', 'x')).toMatchObject({ exitCode: 1 });
    expect((await medicCli('doctor')).exitCode).toBe(0);
    expect(readFileSync(join(medic.home, 'tickets', 'tikv-2.md'), 'utf8')).toContain('# tikv/2: resolved');
  }, 60_000);
});
