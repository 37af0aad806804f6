import type { OtherTicket } from '../../src/domain/digest.js';
import type { PictureSeen } from '../activity-contract.js';

/** What one turn knows of the world before it thinks. */
export interface Seen {
  readonly picture: PictureSeen;
  readonly others: readonly OtherTicket[];
}
