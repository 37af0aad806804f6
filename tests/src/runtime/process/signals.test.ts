import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { installSignalHandlers } from '../../../../src/runtime/process/signals.js';
import { until } from '../../../support/until.js';

describe('asked to end by a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('%s ends in order and then exits with %i', async (signal, code) => {
    const { target, exits, finish, asked } = handled();
    target.emit(signal);
    expect(asked).toEqual([signal]);
    expect(exits).toEqual([]);
    finish();
    await until('the exit', () => exits[0]);
    expect(exits).toEqual([code]);
  });

  it('a second time, it exits at once', () => {
    const { target, exits, asked } = handled();
    target.emit('SIGINT');
    target.emit('SIGINT');
    expect(asked).toHaveLength(1);
    expect(exits).toEqual([130]);
  });

  it('does nothing more once the handlers are removed', () => {
    const { target, asked, remove } = handled();
    remove();
    target.emit('SIGINT');
    expect(asked).toEqual([]);
  });
});

function handled() {
  const target = new EventEmitter();
  const exits: number[] = [];
  const asked: string[] = [];
  let finish: () => void = () => undefined;
  const remove = installSignalHandlers({
    target,
    exit: (code) => exits.push(code),
    onSignal: (signal) => {
      asked.push(signal);
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
  });
  return { target, exits, asked, remove, finish: () => finish() };
}
