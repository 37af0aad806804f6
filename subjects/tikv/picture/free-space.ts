import type { PdStore } from '../picture.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Available to capacity, 0 to 1; `null` when PD does not tell them. */
export function freeRatioOf({ available, capacity }: Pick<PdStore, 'available' | 'capacity'>): number | null {
  const [free, whole] = [bytesOf(available), bytesOf(capacity)];
  return free === null || whole === null || whole === 0 ? null : free / whole;
}

/** PD writes sizes with four digits and a binary unit: `192.7GiB`. */
function bytesOf(text: string): number | null {
  const match = /^([\d.]+)([KMGTP]?i?B)$/.exec(text);
  const power = UNITS.indexOf(match?.[2] ?? '');
  return match?.[1] && power >= 0 ? Number(match[1]) * 1024 ** power : null;
}
