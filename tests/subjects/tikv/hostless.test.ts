import { describe, expect, it } from '@jest/globals';
import { NOT_AVAILABLE } from '../../../src/domain/evidence.js';
import type { Call } from '../../../src/domain/query.js';
import { gap } from '../../../src/domain/reading.js';
import type { Facts } from '../../../subjects/protocol.js';
import { hostless } from '../../../subjects/tikv/hostless.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { inspectNode } from '../../../subjects/tikv/services.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { AT, healthy, withStore } from './pictures.js';

const PROD = hostless(TIKV, 'prod');
const closed = gap(`${NOT_AVAILABLE}Medic has no access to the hosts of prod`, { at: AT, source: 'hosts' });

/** A healthy cluster, seen from outside. */
function fromOutside(): TikvPicture {
  const { vitals, ...rest } = healthy();
  return {
    ...rest,
    vitals: {
      ...vitals,
      probe: gap(`${NOT_AVAILABLE}nothing is written to prod`, { at: AT, source: 'probe' }),
      pd: vitals.pd.map((member) => ({ ...member, witness: closed })),
      stores: vitals.stores.map((store) => ({ ...store, witness: closed })),
    },
  };
}

const SICK = [
  { invariant: 'store-up', target: 'tikv-2', severity: 'high', message: 'x', fingerprint: 'f', since: AT },
] as const;

describe('a cluster without a word of its hosts', () => {
  it('is in order when PD and the ports say so, and its summary says what cannot be looked at', () => {
    const lines = PROD.summary(fromOutside());
    expect(lines[0]).toBe('4 of 4 stores Up, PD ok');
    expect(lines.at(-1)).toBe('hosts: not available, nobody can be asked about processes');
    expect(lines.some((line) => line.startsWith('tikv-'))).toBe(false);
    expect(lines).toContain('probe: not available: nothing is written to prod');
  });

  it('is judged by everything that files but by our own writes, of which it gets none', () => {
    const filing = PROD.invariants.filter(({ use }) => use === 'files');
    expect(filing.map(({ name }) => name)).not.toContain('probe-ok');
    expect(filing.every((invariant) => invariant.check(fromOutside()).known)).toBe(true);
    expect(PROD.name).toBe('prod');
    expect(PROD.promptContext).toContain('No host of this cluster can be asked');
  });

  it('keeps the looks at hosts on the board, under a name that is no tool of the lab', () => {
    const rule = PROD.rules.find((one) => one.matches(SICK) !== null)!;
    const suspects = rule.suspects('tikv-2', fromOutside());
    const shell = suspects.flatMap(({ looks }) => looks).filter(({ kind }) => kind === 'shell');
    expect(shell).toContainEqual({ kind: 'shell', host: 'hosts', command: 'inspect tikv-2' });
    expect(shell.every((call) => call.kind === 'shell' && call.host === 'hosts')).toBe(true);

    const asked: Call[] = [];
    let port = 'connection refused';
    let picture = fromOutside();
    const facts = {
      get picture() {
        return picture;
      },
      pictureId: 'e1',
      answer: (call: Call) => {
        asked.push(call);
        const failure = call.kind === 'shell' ? `${NOT_AVAILABLE}no access to the hosts of prod` : port;
        return { evidence: { id: 'e2', exit: null, failure, call }, body: '' };
      },
    } as unknown as Facts<TikvPicture>;
    const assess = (name: string) => suspects.find(({ cause }) => cause.class === name)!.assess(facts);
    const askTheHost = {
      status: 'open',
      because: 'only its host can tell',
      decidedBy: 'a look at the host of tikv-2, at its process and its log',
    };
    expect(assess('process-dead')).toMatchObject(askTheHost);
    expect(assess('process-frozen')).toMatchObject({
      status: 'refuted',
      because: 'tikv-2 refuses connections, so no process of it listens',
      against: ['e2'],
    });
    picture = withStore(picture, 'tikv-2', { reach: gap(`${NOT_AVAILABLE}never`, { at: AT, source: 'port' }) });
    expect(assess('process-frozen')).toMatchObject(askTheHost);
    port = 'connected, but no answer within 3000 ms';
    picture = fromOutside();
    expect(assess('process-frozen')).toMatchObject(askTheHost);
    expect(asked).not.toContainEqual(inspectNode('tikv-2'));
  });

  it('lets nothing act: a proposal about it is shown, a step that would run is forbidden by the lack of a witness', () => {
    const start = PROD.actions.find(({ name }) => name === 'start-store')!;
    expect(start.precondition(fromOutside(), 'tikv-2').verdict).toBe('unknown');
    const { members } = PROD.quorum(fromOutside());
    expect(new Set(members.map(({ alive }) => alive))).toEqual(new Set(['unknown']));
  });
});
