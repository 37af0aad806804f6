import type { Member } from './member.js';
import type { Random } from './random.js';
import { TICK } from './time.js';
import type { World } from './world.js';

type Deed = (world: World, random: Random) => void;

/** What is done to a cluster; each deed is as likely as the others. */
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
  /** One member gets nothing from the leader, which goes on with the others; they hear from both. */
  forgetOne(world, random) {
    const leader = world.leaders()[0];
    const forgotten = random.pick(world.members);
    world.cut((from, to) => from === leader && to === forgotten);
    const other = random.pick(world.members);
    if (other !== leader) world.agenda.later(random.between(10 * TICK, 40 * TICK), () => restart(world, random, other));
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

/** Goes on until the world's chaos is over. */
export function unleash(world: World, random: Random): void {
  world.agenda.later(random.between(2 * TICK, 30 * TICK), () => {
    if (world.isCalm) return;
    DEEDS[random.pick(Object.keys(DEEDS) as (keyof typeof DEEDS)[])](world, random);
    unleash(world, random);
  });
}

function restart(world: World, random: Random, member: Member): void {
  member.crash();
  world.agenda.later(random.between(1, TICK), () => world.start(member));
}

function bounce(world: World, random: Random, member: Member): void {
  member.crash();
  world.agenda.later(random.between(TICK, 30 * TICK), () => world.start(member));
}
