import { isJoint, membersOf } from '../../subjects/tikv/lab/raft/membership.js';
import type { ChangeStep, Membership, NodeId } from '../../subjects/tikv/lab/raft/types.js';
import { showMembership } from './checker.js';
import type { Member } from './member.js';
import type { Random } from './random.js';
import { TICK } from './time.js';
import type { World } from './world.js';

/** Does something to a cluster and says what; `null` when there was nothing to do. */
export type Deed = (world: World, random: Random) => string | null;

/** More members than that only make a run slow. */
const MOST_VOTERS = 5;
const MOST_MEMBERS = 8;

/** What clients, operators and bad luck do to a cluster. */
export const DEEDS = {
  write(world) {
    return each(world.leaders(), (leader) => leader.write(`w${world.agenda.now}`));
  },
  read(world) {
    return each(world.leaders(), (leader) => leader.read());
  },
  splitInTwo(world, random) {
    const side = new Set(world.members.filter(() => random.chance(0.5)));
    return world.cut((from, to) => side.has(from) !== side.has(to));
  },
  isolateLeader(world) {
    const leader = world.leaders()[0];
    return leader ? world.cut((from, to) => from === leader || to === leader) : null;
  },
  /** Hears everybody, is heard by nobody; or the other way round. */
  muffle(world, random) {
    const victim = random.pick(world.members);
    const isMute = random.chance(0.5);
    return world.cut((from, to) => (isMute ? from : to) === victim);
  },
  /** A hears B, B does not hear A. */
  cutOneWay(world, random) {
    const [a, b] = [random.pick(world.members), random.pick(world.members)];
    return world.cut((from, to) => from === a && to === b);
  },
  /** One member gets nothing from the leader, which goes on with the others; those hear both, and restart now and then. */
  forgetOne(world, random) {
    const leader = world.leaders()[0];
    const forgotten = random.pick(world.members);
    const cut = world.cut((from, to) => from === leader && to === forgotten);
    for (const member of world.members) {
      if (member === leader || member === forgotten) continue;
      for (let times = 0; times < 4; times += 1) {
        world.unlessCalm(random.between(11 * TICK, 30 * TICK), () => restart(world, random, member));
      }
    }
    return `${cut}; the others restart now and then`;
  },
  /** Whatever is sent to one member comes so late that it falls behind the others' logs. */
  slowPeer(world, random) {
    const { id } = random.pick(world.members);
    world.network.slowDown(id);
    return `everything to ${id} comes late`;
  },
  cutSomeLinks(world, random) {
    return world.cut(() => random.chance(0.3));
  },
  heal(world) {
    world.network.heal();
    return 'all links are well';
  },
  crash(world, random) {
    return bounce(world, random, random.pick(world.members));
  },
  crashLeader(world, random) {
    const leader = world.leaders()[0];
    return leader ? bounce(world, random, leader) : null;
  },
  /** A power cut for all: what survives is on the platters. */
  crashAll(world, random) {
    return world.members.map((member) => bounce(world, random, member)).join('; ');
  },
  /** Quick enough that others still count on what this member said before. */
  crashBriefly(world, random) {
    return restart(world, random, random.pick(world.members));
  },
  pause(world, random) {
    const member = random.pick(world.leaders().length > 0 ? world.leaders() : world.members);
    const pause = random.between(TICK, 40 * TICK);
    member.pause();
    world.unlessCalm(pause, () => member.resume());
    return `${member.id} sleeps for ${pause / TICK} ticks`;
  },
  transfer(world, random) {
    const target = random.pick(world.members);
    const said = each(world.leaders(), (leader) => leader.act((node) => void node.transferLeader(target.id)));
    return said && `${said}: hand over to ${target.id}`;
  },
  campaign(world, random) {
    const member = random.pick(world.members);
    member.act((node) => node.campaign());
    return `${member.id} is told to stand for election`;
  },
  learn(world) {
    return change(world, () => [{ kind: 'add-learner', id: world.newId() }]);
  },
  addVoter(world) {
    return change(world, ({ voters }) =>
      voters.length < MOST_VOTERS ? [{ kind: 'add-voter', id: world.newId() }] : null,
    );
  },
  promote(world, random) {
    return change(world, ({ voters, learners = [] }) =>
      learners.length > 0 && voters.length < MOST_VOTERS ? [{ kind: 'add-voter', id: random.pick(learners) }] : null,
    );
  },
  demote(world, random) {
    return change(world, ({ voters }) => [{ kind: 'add-learner', id: random.pick(voters) }]);
  },
  remove(world, random) {
    return change(world, (membership) => [{ kind: 'remove', id: random.pick(membersOf(membership)) }]);
  },
  removeLeader(world) {
    return change(world, (_, leader) => [{ kind: 'remove', id: leader }]);
  },
  enterJoint(world, random) {
    return change(world, (membership) => reshuffle(world, random, membership));
  },
  /** The rest of the old half is cut off as soon as the leader knows that the group is joint, before they do. */
  splitHalves(world, random) {
    const leader = world.leaders()[0];
    const old = leader?.node?.membership.voters.filter((id) => id !== leader.id) ?? [];
    const said = change(world, (membership) =>
      isJoint(membership) ? null : replaceAllButOne(world, random, membership),
    );
    if (!leader?.node || said === null) return null;
    const index = leader.node.lastIndex;
    const split = () => {
      if (leader.node?.role !== 'leader') return;
      if (leader.node.commitIndex < index) world.unlessCalm(TICK / 10, split);
      else world.cut((from, to) => old.includes(from.id) !== old.includes(to.id));
    };
    split();
    for (let times = 1; times <= 8; times += 1) {
      world.unlessCalm(times * TICK, () => leader.write(`split${world.agenda.now}`));
    }
    return `${said}; once that is committed ${old.join(' ')} are cut off`;
  },
  leaveJoint(world) {
    return change(world, (membership) => (isJoint(membership) ? [] : null));
  },
} satisfies Record<string, Deed>;

export type DeedName = keyof typeof DEEDS;

type Choice = (membership: Membership, leader: NodeId) => ChangeStep[] | null;

/** Every leader is told to change the group; new members are there before the first message reaches them. */
function change(world: World, choose: Choice): string | null {
  const said = world.leaders().flatMap((leader) => {
    const membership = leader.node?.membership;
    if (!membership || membersOf(membership).length > MOST_MEMBERS) return [];
    const steps = choose(membership, leader.id);
    if (!steps) return [];
    let outcome = '';
    leader.act((node) => {
      const result = node.proposeChange({ steps, data: '' });
      outcome = result.ok ? `entry ${result.index}` : `refused, ${result.reason}`;
      if (result.ok) for (const { kind, id } of steps) if (kind !== 'remove') world.join(id);
    });
    const words = steps.map(({ kind, id }) => `${kind} ${id}`).join(', ') || 'leave the joint configuration';
    return [`${leader.id} (${showMembership(membership)}): ${words}: ${outcome}`];
  });
  return said.length > 0 ? said.join('; ') : null;
}

/** A new group of the same size, with one of the old. */
function replaceAllButOne(world: World, random: Random, { voters }: Membership): ChangeStep[] | null {
  const stays = random.pick(voters);
  const leaving = voters.filter((id) => id !== stays);
  if (leaving.length === 0) return null;
  return leaving.flatMap((id): ChangeStep[] => [
    { kind: 'remove', id },
    { kind: 'add-voter', id: world.newId() },
  ]);
}

/** Several steps at once, up to a group that shares nobody with the old one. */
function reshuffle(world: World, random: Random, { voters, learners = [] }: Membership): ChangeStep[] | null {
  const leaving = random.pick([0.3, 1]);
  const steps: ChangeStep[] = [];
  for (const id of voters) {
    if (random.chance(leaving)) steps.push({ kind: random.pick(['remove', 'add-learner'] as const), id });
  }
  for (const id of learners) if (random.chance(0.5)) steps.push({ kind: 'add-voter', id });
  for (let joining = random.between(0, 3); joining > 0; joining -= 1) {
    steps.push({ kind: 'add-voter', id: world.newId() });
  }
  return steps.length > 1 ? steps : null;
}

function each(leaders: Member[], act: (leader: Member) => void): string | null {
  for (const leader of leaders) act(leader);
  return leaders.length > 0 ? leaders.map(({ id }) => id).join(', ') : null;
}

function restart(world: World, random: Random, member: Member): string {
  return crashFor(world, member, random.between(1, TICK));
}

function bounce(world: World, random: Random, member: Member): string {
  return crashFor(world, member, random.between(TICK, 30 * TICK));
}

function crashFor(world: World, member: Member, pause: number): string {
  member.crash();
  world.unlessCalm(pause, () => world.start(member));
  return `${member.id} loses power for ${pause / TICK} ticks`;
}
