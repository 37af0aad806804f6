import { json, parseErrorText } from '../answers/answer.js';
import type { Ask, Outcome } from '../route.js';
import type { PdView } from '../view.js';
import { readObject } from './body.js';

/** The group of this stand-in is fixed at its first start. PD would remove the member. */
const CANNOT_REMOVE = json('this stand-in of PD cannot remove a member', 501);

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

/** `DELETE /members/name/{name}` */
export function removeMemberByName(view: PdView, name: string): Outcome {
  return isMember(view, name) ? CANNOT_REMOVE : notFound(name);
}

/** `DELETE /members/id/{id}` */
export function removeMemberById(view: PdView, id: string): Outcome {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  if (view.members.some(({ memberId }) => memberId === id)) return CANNOT_REMOVE;
  return json('[PD:etcd:ErrEtcdMemberRemove]etcdserver: member not found: etcdserver: member not found', 500);
}

function isMember(view: PdView, name: string): boolean {
  return view.members.some((member) => member.name === name);
}

function notFound(name: string): Outcome {
  return json(`not found, pd: ${name}`, 404);
}
