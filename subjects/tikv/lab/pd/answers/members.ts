import { BUILD } from '../build.js';
import type { Member } from '../members.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** `GET /members`: the group, PD's leader and etcd's. Killed members stay listed as they are. */
export function members(view: PdView): Answer {
  return json({
    header: { cluster_id: BigInt(view.state.clusterId ?? '0') },
    members: view.members.map((member) => withBuild(member, view)),
    ...(view.leader === null ? {} : { leader: withBuild(view.leader, view) }),
    ...(view.raft.leader === null ? {} : { etcd_leader: withBuild(view.raft.leader, view) }),
  });
}

/** `GET /leader`: name, id and addresses only. */
export function leader(view: PdView): Answer {
  return json(view.leader === null ? null : shortForm(view.leader));
}

/** `GET /health`: always 200; a member that did not answer a ping is `false`. */
export function health(view: PdView): Answer {
  return json(
    view.members.map((member) => ({
      name: member.name,
      member_id: BigInt(member.memberId),
      client_urls: [member.clientUrl],
      health: view.reachable.has(member.name),
    })),
  );
}

function shortForm({ name, memberId, peerUrl, clientUrl }: Member): object {
  return { name, member_id: BigInt(memberId), peer_urls: [peerUrl], client_urls: [clientUrl] };
}

function withBuild(member: Member, { state }: PdView): object {
  const priority = state.priorities[member.name] ?? 0;
  return {
    ...shortForm(member),
    ...(priority === 0 ? {} : { leader_priority: priority }),
    deploy_path: BUILD.deployPath,
    binary_version: BUILD.version,
    git_hash: BUILD.gitHash,
  };
}
