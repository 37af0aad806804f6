import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRegionState, encodePut } from '../../../../../subjects/tikv/lab/store/kv.js';

describe('the state of a region', () => {
  it('is the same after a snapshot was restored as after the writes themselves', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (writes) => {
        const original = createRegionState();
        for (const [key, value] of writes) original.apply(encodePut({ key, value }));
        const copy = createRegionState();
        copy.apply(encodePut({ key: 'old', value: 'gone after the restore' }));
        copy.restore(JSON.parse(JSON.stringify(original.rows())));
        for (const [key] of writes) expect(copy.get(key)).toBe(original.get(key));
        expect([copy.keys, copy.approximateBytes]).toEqual([original.keys, original.approximateBytes]);
      }),
    );
  });

  it('counts the bytes of a key once however often it is written', () => {
    const state = createRegionState();
    state.apply(encodePut({ key: 'abc', value: '12345' }));
    state.apply(encodePut({ key: 'abc', value: '1' }));
    expect([state.keys, state.approximateBytes]).toEqual([1, 4]);
  });

  it('answers null for a key that was never written, also after a restore of nothing', () => {
    const state = createRegionState();
    state.restore([]);
    expect(state.get('nothing')).toBeNull();
  });
});
