import { DEEDS, type DeedName } from './deeds.js';
import { Random } from './random.js';
import type { Settings } from './settings.js';
import { TICK } from './time.js';

/** One thing that is done to a cluster. Whom it hits follows from `dice` and from the cluster as it is then. */
export interface Event {
  at: number;
  deed: DeedName;
  dice: number;
}

/** A whole run: everything that happens in it follows from this. */
export interface Schedule {
  seed: number;
  settings: Settings;
  events: Event[];
}

/** The time of trouble. */
export const CHAOS = 300 * TICK;

/** The schedule of a seed: the same for ever, as long as nothing here changes. */
export function plan(seed: number): Schedule {
  const random = Random.of(seed, 'plan');
  const settings = settle(random);
  const events = [...requests(random), ...troubles(random)].sort((a, b) => a.at - b.at);
  return { seed, settings, events };
}

function settle(random: Random): Settings {
  return {
    founders: random.pick([1, 3, 3, 3, 5, 5]),
    weather: {
      loss: random.pick([0, 0.02, 0.1]),
      repeat: random.pick([0, 0.05]),
      maxDelay: random.pick([10, TICK, 6 * TICK]),
      straggle: random.pick([0, 0.02, 0.3]),
    },
    heartbeatTicks: random.between(1, 2),
    maxEntriesPerMessage: random.between(1, 8),
    trailingEntries: random.pick([0, 5]),
    compactEvery: random.pick([5, 20, 80]),
    called: random.chance(0.5),
  };
}

/** Without writes logs stay level, and who may lead is left to the leases. */
function requests(random: Random): Event[] {
  const writeShare = random.pick([0, 0.05, 0.5]);
  return times(random, { least: 20, most: 2 * TICK }).map((at) => ({
    at,
    deed: random.chance(writeShare) ? 'write' : 'read',
    dice: at,
  }));
}

/**
 * Each run gets its own few of the deeds: rare combinations come up more often than if everything could always happen
 * (swarm testing).
 */
function troubles(random: Random): Event[] {
  const names = (Object.keys(DEEDS) as DeedName[]).filter((name) => name !== 'write' && name !== 'read');
  const share = random.pick([0.1, 0.2, 0.4]);
  const chosen = names.filter(() => random.chance(share));
  if (chosen.includes('enterJoint') || chosen.includes('splitHalves')) chosen.push('leaveJoint');
  const most = random.pick([10, 20, 40]) * TICK;
  return times(random, { least: 2 * TICK, most }).map((at) => ({
    at,
    deed: random.pick<DeedName>(['heal', ...chosen]),
    dice: random.between(0, 2 ** 31),
  }));
}

function times(random: Random, { least, most }: { least: number; most: number }): number[] {
  const all: number[] = [];
  for (let at = random.between(least, most); at < CHAOS; at += random.between(least, most)) all.push(at);
  return all;
}
