import { createHash } from 'node:crypto';
import { type Basis, basisText } from '../src/domain/proposal.js';

/** What answers name, and signatures cover: facts, commands and how they are taken back. */
export const basisHashOf = (basis: Basis): string => createHash('sha256').update(basisText(basis)).digest('hex');
