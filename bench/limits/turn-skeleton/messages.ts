import { randomUUID } from 'node:crypto';

/** What goes over NATS in a turn of the skeleton. Nothing is checked on arrival: it is our own process that sent it. */
export interface Submitted {
  readonly invocationId: string;
  readonly sessionId: string;
  readonly text: string;
}

export interface Run extends Submitted {
  readonly epoch: number;
}

export interface Append {
  readonly sessionId: string;
  readonly invocationId: string;
  readonly epoch: number;
  readonly appendNumber: number;
  readonly events: readonly SkeletonEvent[];
  readonly final: boolean;
}

export interface Dispatch {
  readonly invocationId: string;
  readonly callId: string;
  readonly args: { readonly a: number; readonly b: number };
}

export interface Result {
  readonly invocationId: string;
  readonly callId: string;
  readonly result: { readonly sum: number };
}

export interface SkeletonEvent {
  readonly id: string;
  readonly invocationId: string;
  readonly author: string;
  readonly timestamp: number;
  readonly content: { readonly role: string; readonly parts: readonly object[] };
  readonly actions: object;
  readonly final: boolean;
  /** About what an event holds besides. */
  readonly padding: string;
}

const padding = 'x'.repeat(300);

export function skeletonEvent(
  invocationId: string,
  author: 'user' | 'root',
  part: object,
  final = false,
): SkeletonEvent {
  return {
    id: randomUUID(),
    invocationId,
    author,
    timestamp: Date.now() / 1000,
    content: { role: author === 'user' ? 'user' : 'model', parts: [part] },
    actions: { stateDelta: {}, artifactDelta: {} },
    final,
    padding,
  };
}
