import {
  foundMemoriesSchema,
  type MemoryVerb,
  retryTransient,
  type Session,
  subjects,
} from '@skein/contracts';
import { MemoryService, type SearchMemoryRequest, type SearchMemoryResponse } from '@skein/engine';
import { type RpcClient } from '@skein/messaging';
import { z } from 'zod';

const TIMEOUT_MS = 5_000;
/** So long nobody may answer a tool; after that it is told. */
const PATIENCE_MS = 30_000;

/** A user's memory as session-svc keeps it, over request-reply. */
export class RemoteMemoryService extends MemoryService {
  constructor(private readonly rpc: RpcClient) {
    super();
  }

  override async addSessionToMemory({ appName, userId, id: sessionId, events }: Session): Promise<void> {
    const remembered = events.map(({ id, author, content, timestamp }) => ({
      id,
      author,
      content,
      timestamp,
    }));
    const body = { appName, userId, sessionId, events: remembered };
    await this.#request('add', z.unknown(), body);
  }

  override searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    return this.#request('search', foundMemoriesSchema, request);
  }

  /** Asked again while nobody is there: a session replaces what it had left in the memory. */
  #request<T>(verb: MemoryVerb, schema: z.ZodType<T>, body: unknown): Promise<T> {
    const subject = subjects.memoryRpc(verb);
    return retryTransient(() => this.rpc.request(subject, schema, body, { timeoutMs: TIMEOUT_MS }), {
      withinMs: PATIENCE_MS,
    });
  }
}
