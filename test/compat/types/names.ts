import type * as ours from '@skein/adk';
import type * as theirs from '@google/adk';

/** Every name both have. */
export type Shared = keyof typeof ours & keyof typeof theirs;
