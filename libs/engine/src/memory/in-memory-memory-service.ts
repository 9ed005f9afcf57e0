import { type Session } from '@skein/contracts';
import { MemoryService, type SearchMemoryRequest, type SearchMemoryResponse } from './memory-service';
import { MAX_MEMORIES, type Remembered, rememberEvent, wordsOf } from './remember-event';

interface Memory extends Remembered {
  readonly sessionId: string;
  readonly seconds: number;
}

/** Memory in this process, for tests and single-process use. */
export class InMemoryMemoryService extends MemoryService {
  /** By user, then by session. */
  readonly #users = new Map<string, Map<string, readonly Memory[]>>();

  override async addSessionToMemory({ appName, userId, id, events }: Session): Promise<void> {
    const user = userKey(appName, userId);
    const sessions = this.#users.get(user) ?? new Map<string, readonly Memory[]>();
    const memories = events.flatMap((event): Memory[] => {
      const remembered = rememberEvent(structuredClone(event));
      return remembered ? [{ ...remembered, sessionId: id, seconds: event.timestamp }] : [];
    });
    this.#users.set(user, sessions.set(id, memories));
  }

  override async searchMemory({
    appName,
    userId,
    query,
  }: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const asked = wordsOf(query);
    const sessions = this.#users.get(userKey(appName, userId)) ?? new Map<string, readonly Memory[]>();
    const found = [...sessions.values()]
      .flat()
      .filter(({ words }) => [...asked].some((word) => words.has(word)))
      .sort(byTime)
      .slice(-MAX_MEMORIES);
    return structuredClone({ memories: found.map(({ entry }) => entry) });
  }
}

/** Sorting is stable, so what one session said at one time stays in its order. */
function byTime(one: Memory, other: Memory): number {
  return one.seconds - other.seconds || compareBytes(one.sessionId, other.sessionId);
}

/** As the store compares ids. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function userKey(appName: string, userId: string): string {
  return JSON.stringify([appName, userId]);
}
