import { json, parseErrorText } from '../answers/answer.js';
import type { Ask, Outcome } from '../route.js';
import type { PdView } from '../view.js';
import { readObject } from './body.js';

/** etcd lets nobody go if those who are left and alive would be no majority. */
const FEW = 'etcdserver: re-configuration failed due to not enough started members';
const NOT_ENOUGH = json(`[PD:etcd:ErrEtcdMemberRemove]${FEW}: ${FEW}`, 500);

/** `POST /members/name/{name}` with `leader-priority`; PD passes over properties that it does not know. */
export function setMember(view: PdView, name: string, { body }: Ask): Outcome {
  if (!isMember(view, name)) return notFound(name);
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const answer = json('success');
  const priority = read.value['leader-priority'];
  if (priority === undefined) return answer;
  if (typeof priority !== 'number') return json('bad format leader priority', 400);
  return { commands: [{ kind: 'prioritize', member: name, priority: Math.trunc(priority) }], answer };
}

/** `DELETE /members/name/{name}`: also of one that is dead, and for good. */
export function removeMemberByName(view: PdView, name: string): Outcome {
  return isMember(view, name) ? remove(name, name) : notFound(name);
}

/** `DELETE /members/id/{id}` */
export function removeMemberById(view: PdView, id: string): Outcome {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const member = view.members.find(({ memberId }) => memberId === id);
  if (member !== undefined) return remove(member.name, id);
  return json('[PD:etcd:ErrEtcdMemberRemove]etcdserver: member not found: etcdserver: member not found', 500);
}

function remove(member: string, called: string): Outcome {
  return {
    commands: [{ kind: 'remove-member', member }],
    answer: json(`removed, pd: ${called}`),
    refusedAnswer: NOT_ENOUGH,
  };
}

function isMember(view: PdView, name: string): boolean {
  return view.members.some((member) => member.name === name);
}

function notFound(name: string): Outcome {
  return json(`not found, pd: ${name}`, 404);
}
