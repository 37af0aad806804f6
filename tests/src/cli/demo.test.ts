import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Truth } from '../../../chaos/protocol.js';
import { tellChildEvent } from '../../../src/cli/child-events.js';
import { checkDemo } from '../../../src/cli/demo-checks.js';
import { sayEnd, sayHeading } from '../../../src/cli/demo-lines.js';
import { type DemoFacts, isWin, summarise, summariseQuiet } from '../../../src/cli/demo-summary.js';
import { archivedStatus } from '../../../src/runtime/archived-status.js';
import { archivedKill, KILLED_STORE, STORY } from '../../support/killed-store.js';
import { temporaryFolder } from '../runtime/process/temporary.js';
import { paper } from './paper.js';

const FACTS: DemoFacts = {
  fault: 'node_kill',
  rightEnd: { kind: 'repaired' },
  ticket: KILLED_STORE.id,
  phase: 'resolved',
  confirmedAt: '2026-01-02T03:04:02.000Z',
  events: STORY,
  status: archivedStatus(archivedKill()),
  faultTruth: 'gone',
  profile: 'fast',
};

describe('the summary of a demo', () => {
  it('counts its times from the confirmed fault', () => {
    expect(summarise(FACTS)).toEqual({
      fault: 'node_kill',
      ticket: 'tikv/7',
      phase: 'resolved',
      end: 'repaired',
      right: true,
      proof: 'healthy',
      causeGone: true,
      faultTruth: 'gone',
      detectMs: 3_000,
      repairMs: 17_000,
      provenMs: 28_000,
      looks: 2,
      acts: 1,
      reasoner: 'rules',
      turns: 2,
      profile: 'fast',
    });
  });

  it('has null for what was not reached, and unknown for what was not measured', () => {
    const status = { ...FACTS.status, proof: null };
    const events = STORY.filter((event) => event.type === 'filed');
    expect(summarise({ ...FACTS, phase: 'escalated', status, events })).toMatchObject({
      ...{ proof: 'unknown', causeGone: 'unknown', detectMs: 3_000, repairMs: null, provenMs: null, reasoner: 'none' },
    });
  });

  it('is a win only if resolved, proven, and gone from the injector’s side', () => {
    const wins = (changes: Partial<DemoFacts>) => isWin(summarise({ ...FACTS, ...changes }));
    expect(wins({})).toBe(true);
    expect(wins({ phase: 'escalated' })).toBe(false);
    expect(wins({ status: { ...FACTS.status, proof: null } })).toBe(false);
    expect(wins({ faultTruth: 'unknown' })).toBe(false);
    expect(wins({ faultTruth: 'present' })).toBe(false);
  });

  it('of a fault that nobody may repair is a win only if a person got a brief that names its cause', () => {
    const beyond = { ...FACTS, rightEnd: { kind: 'escalated', cause: 'crash-loop' }, phase: 'escalated' } as const;
    const ended = (brief: string | null) => summarise({ ...beyond, status: { ...FACTS.status, brief } });
    expect(ended('tikv/7 needs a person: crash-loop/tikv-2: it died again')).toMatchObject({
      end: 'escalated',
      right: true,
    });
    expect(ended('tikv/7 needs a person: process-dead/tikv-2: ... Ruled out: crash-loop/tikv-2').right).toBe(false);
    expect(ended(null).right).toBe(false);
    expect(summarise({ ...beyond, phase: 'resolved' }).right).toBe(false);
  });

  it('of a fault that goes by itself is a win only without any act', () => {
    const alone = { ...FACTS, rightEnd: { kind: 'self-cleared' }, phase: 'self-cleared' } as const;
    const status = (acts: number) => ({ ...FACTS.status, spent: { ...FACTS.status.spent, acts } });
    expect(summarise({ ...alone, status: status(0) })).toMatchObject({ end: 'self-cleared', right: true });
    expect(summarise({ ...alone, phase: 'no-fault', status: status(0) }).right).toBe(true);
    expect(summarise({ ...alone, status: status(1) }).right).toBe(false);
    expect(summarise({ ...alone, phase: 'resolved' }).right).toBe(false);
  });

  it('without a ticket is a win where none may be filed, or where it went before one was', () => {
    const quiet = (kind: 'no-ticket' | 'self-cleared' | 'repaired', faultTruth: Truth = 'gone') =>
      summariseQuiet({ fault: 'none', profile: 'fast', rightEnd: { kind }, faultTruth });
    expect(quiet('no-ticket')).toMatchObject({ ticket: null, phase: 'none', end: 'no-ticket', right: true, acts: 0 });
    expect(quiet('self-cleared').right).toBe(true);
    expect(quiet('repaired').right).toBe(false);
    expect(quiet('self-cleared', 'present').right).toBe(false);
  });
});

describe('the lines of a demo', () => {
  const heading = { home: '.medic', profile: 'fast', reasoner: 'rules (no ANTHROPIC_API_KEY)' };
  const running = { home: '/x', uiUrl: 'http://127.0.0.1:8233', metricsUrl: 'http://127.0.0.1:9464/metrics' };

  it('begin with instance, profile and who reasons', () => {
    const one = paper({ columns: 100 });
    sayHeading(heading, one.screen);
    expect(one.out()).toEqual([
      expect.stringMatching(
        /^medic \d+\.\d+\.\d+ · instance \.medic · profile fast · reasoner rules \(no ANTHROPIC_API_KEY\)$/,
      ),
    ]);
    const piped = paper();
    sayHeading({ ...heading, reasoner: 'claude' }, piped.screen);
    expect(piped.out()[0]).toMatch(/^\d{4}-\S+Z medic {5}\d/);
    expect(piped.out()[0]).toContain('reasoner claude');
  });

  it('end in a pipe with the verdict and what is still there to be read', () => {
    const { screen, out } = paper();
    sayEnd({ summary: summarise(FACTS), brief: null, running, home: '/x' }, screen);
    expect(out().map((line) => line.replace(/^\S+Z /, ''))).toEqual([
      'tikv/7    resolved · detected 3.0 s · repaired 17.0 s · proven 28.0 s · 2 looks · 1 act · proof healthy · fault gone',
      'report    /x/tickets/tikv-7.md',
      'read      ./medic trail tikv/7 --home /x',
    ]);
  });

  it('end on a terminal with the links that stay up, and commands that fit the home', () => {
    const { screen, out } = paper({ columns: 120 });
    sayEnd({ summary: summarise(FACTS), brief: null, running, home: '.medic' }, screen);
    expect(out().slice(2)).toEqual([
      'read      ./medic trail tikv/7',
      'workflow  http://127.0.0.1:8233/namespaces/default/workflows/ticket%2Ftikv%2F7',
      'metrics   http://127.0.0.1:9464/metrics',
      'next      ./medic chaos inject node_kill',
      '          Ctrl-C ends everything',
    ]);
  });

  it('say of a quiet end only that there was no ticket', () => {
    const { screen, out } = paper();
    const quiet = { fault: 'none', profile: 'fast', rightEnd: { kind: 'no-ticket' } } as const;
    sayEnd({ summary: summariseQuiet({ ...quiet, faultTruth: 'gone' }), brief: null, running, home: '/x' }, screen);
    expect(out().map((line) => line.replace(/^\S+Z /, ''))).toEqual(['end       no ticket · fault gone']);
  });

  it('hand over the brief of an escalated ticket, and its report so far', () => {
    const { screen, out } = paper();
    const summary = summarise({ ...FACTS, phase: 'escalated' });
    sayEnd({ summary, brief: 'tikv/7 needs a person\nboard', running, home: '/x' }, screen);
    expect(out().map((line) => line.replace(/^\S+Z /, ''))).toEqual([
      '          tikv/7 needs a person',
      '          board',
      expect.stringContaining('tikv/7    escalated'),
      'report    /x/tickets/tikv-7.md',
      'read      ./medic trail tikv/7 --home /x',
    ]);
  });

  it('say which process died, how, and when it was back', () => {
    const event = { name: 'worker', code: null, signal: 'SIGKILL', afterMs: 12_100 } as const;
    expect(tellChildEvent({ ...event, what: 'died' })).toBe('worker died (SIGKILL) after 12.1 s; starting it again');
    expect(tellChildEvent({ ...event, what: 'restarted' })).toBe('worker is back, 12.1 s after its death');
    expect(tellChildEvent({ ...event, what: 'gave-up', signal: null, code: 1 })).toBe(
      'worker keeps dying (exit 1) and is left alone; see its log',
    );
  });
});

describe('what is checked before a demo begins', () => {
  it('is that the fault exists', () => {
    expect(() => checkDemo({ fault: 'nodekill' })).toThrow('there is no fault nodekill; there are node_kill');
  });

  it('is that the summary can be written, and nothing is left behind or changed', () => {
    const folder = temporaryFolder();
    const file = join(folder, 's.json');
    checkDemo({ fault: 'node_kill', summary: file });
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, 'old');
    checkDemo({ fault: 'node_kill', summary: file });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  it('refuses a folder that is missing and a file that is one', () => {
    const folder = temporaryFolder();
    const missing = join(folder, 'none', 's.json');
    const refused = (summary: string) => () => checkDemo({ fault: 'node_kill', summary });
    expect(refused(missing)).toThrow(`cannot write ${missing} (ENOENT)`);
    expect(refused(folder)).toThrow(`cannot write ${folder} (EISDIR)`);
  });
});
