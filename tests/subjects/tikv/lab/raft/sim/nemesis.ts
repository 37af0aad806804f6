import type { Member } from './member.js';
import type { Random } from './random.js';
import { TICK } from './time.js';
import type { World } from './world.js';

type Deed = (world: World, random: Random) => void;

/** What is done to a cluster. */
const DEEDS = {
  splitInTwo(world, random) {
    const side = new Set(world.members.filter(() => random.chance(0.5)));
    world.cut((from, to) => side.has(from) !== side.has(to));
  },
  isolateLeader(world) {
    const leader = world.leaders()[0];
    if (leader) world.cut((from, to) => from === leader || to === leader);
  },
  /** Hears everybody, is heard by nobody; or the other way round. */
  muffle(world, random) {
    const victim = random.pick(world.members);
    const mute = random.chance(0.5);
    world.cut((from, to) => (mute ? from : to) === victim);
  },
  /** One member gets nothing from the leader, which goes on with the others; those hear both, and restart now and then. */
  forgetOne(world, random) {
    const leader = world.leaders()[0];
    const forgotten = random.pick(world.members);
    world.cut((from, to) => from === leader && to === forgotten);
    for (const member of world.members) {
      if (member === leader || member === forgotten) continue;
      for (let times = 0; times < 4; times += 1) {
        world.agenda.later(random.between(8 * TICK, 40 * TICK), () => restart(world, random, member));
      }
    }
  },
  cutSomeLinks(world, random) {
    world.cut(() => random.chance(0.3));
  },
  heal(world) {
    world.network.heal();
  },
  crash(world, random) {
    bounce(world, random, random.pick(world.members));
  },
  crashLeader(world, random) {
    const leader = world.leaders()[0];
    if (leader) bounce(world, random, leader);
  },
  /** A power cut for all: what survives is on the platters. */
  crashAll(world, random) {
    for (const member of world.members) bounce(world, random, member);
  },
  /** Quick enough that others still count on what this member said before. */
  crashBriefly(world, random) {
    restart(world, random, random.pick(world.members));
  },
  pause(world, random) {
    const member = random.pick(world.leaders().length > 0 ? world.leaders() : world.members);
    member.pause();
    world.agenda.later(random.between(TICK, 40 * TICK), () => member.resume());
  },
  transfer(world, random) {
    const target = random.pick(world.members);
    for (const leader of world.leaders()) leader.act((node) => void node.transferLeader(target.id));
  },
  campaign(world, random) {
    random.pick(world.members).act((node) => node.campaign());
  },
} satisfies Record<string, Deed>;

/**
 * Goes on until the world's chaos is over. Each world gets its own half of the deeds: rare combinations come up
 * more often than if everything could always happen (swarm testing).
 */
export function unleash(world: World, random: Random): void {
  const chosen = Object.values<Deed>(DEEDS).filter(() => random.chance(0.5));
  const next = () => {
    if (world.isCalm) return;
    random.pick([DEEDS.heal, ...chosen])(world, random);
    world.agenda.later(random.between(2 * TICK, 30 * TICK), next);
  };
  world.agenda.later(random.between(2 * TICK, 30 * TICK), next);
}

function restart(world: World, random: Random, member: Member): void {
  member.crash();
  world.agenda.later(random.between(1, TICK), () => world.start(member));
}

function bounce(world: World, random: Random, member: Member): void {
  member.crash();
  world.agenda.later(random.between(TICK, 30 * TICK), () => world.start(member));
}
