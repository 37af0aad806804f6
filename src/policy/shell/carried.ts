import type { Word } from '../row.js';
import type { Shell } from './dialect.js';

/** What a program that starts other programs would start. */
export type Carried =
  /** It starts nothing with these arguments. */
  | { readonly kind: 'nothing' }
  /** `transparent`: it does nothing of its own, so its class is that of what it runs. */
  | { readonly kind: 'runs'; readonly runs: readonly Run[]; readonly transparent: boolean }
  /** What it would start cannot be told. */
  | { readonly kind: 'unclear'; readonly reason: string };

export type Run =
  | {
      readonly kind: 'argv';
      readonly words: readonly Word[];
      /** Names of variables set in its environment. */
      readonly env: readonly string[];
      readonly where?: string;
    }
  | { readonly kind: 'script'; readonly text: string; readonly shell: Shell; readonly where?: string };
