import { userInfo } from 'node:os';

/** Who says so, where nothing is signed. */
export const speaker = (by: string | undefined): string => by ?? loginName();

/** In a container a user may have no name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'anonymous';
  }
}
