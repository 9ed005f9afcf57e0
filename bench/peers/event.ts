import { randomUUID } from 'node:crypto';
import type { Content } from './script';

/** An event as the author of an agent without ADK would store it: what is said, by whom, in which turn. */
export interface StoredEvent {
  readonly id: string;
  readonly invocationId: string;
  readonly author: 'user' | 'bench';
  readonly timestamp: number;
  readonly content: Content;
}

type Said = Pick<StoredEvent, 'invocationId' | 'author' | 'content'> & Partial<StoredEvent>;

export function anEvent(said: Said): StoredEvent {
  return { id: randomUUID(), timestamp: Date.now() / 1000, ...said };
}
