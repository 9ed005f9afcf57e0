import { type Content } from '@google/genai';
import { type Script } from './from-list';

type Values = Readonly<Record<string, unknown>>;

interface RunOptions {
  /** Asks for chunks. */
  readonly streaming?: boolean;
  readonly maxLlmCalls?: number;
  readonly stateDelta?: Values;
}

/** What the user answers to a call: the latest of this name. */
interface CallAnswer {
  readonly call: string;
  readonly response: Values;
}

/** One thing done with the session; what is said or answered runs the agent. */
export type Step =
  | (RunOptions & { readonly say: string | Content })
  | (RunOptions & { readonly answer: CallAnswer })
  | { readonly addToMemory: true };

/** An agent file, what its models answer, and what its user does. */
export interface CompatCase {
  readonly name: string;
  /** What the case shows, as the rest of a sentence that begins with "an agent". */
  readonly says: string;
  /** A file in `test/compat/agents`. */
  readonly agent: string;
  /** State the session is created with. */
  readonly state?: Values;
  /** By name of a model. */
  readonly answers: Script;
  readonly steps: readonly Step[];
}
