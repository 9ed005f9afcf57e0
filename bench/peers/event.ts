import type { Content } from './script';

/** An event as the author of an agent without ADK would store it: what is said, by whom, in which turn. */
export interface StoredEvent {
  readonly id: string;
  readonly invocationId: string;
  readonly author: 'user' | 'bench';
  readonly timestamp: number;
  readonly content: Content;
}

type Said = Omit<StoredEvent, 'id' | 'timestamp'>;

/** @param n which event of its turn it is: a step that runs again stores it again under the same id. */
export function anEvent(n: number, said: Said, timestamp = Date.now() / 1000): StoredEvent {
  return { id: `${said.invocationId}.${n}`, timestamp, ...said };
}
