import { foundMemoriesSchema, type Session, subjects } from '@skein/contracts';
import { MemoryService, type SearchMemoryRequest, type SearchMemoryResponse } from '@skein/engine';
import { type RpcClient } from '@skein/messaging';
import { z } from 'zod';

const TIMEOUT_MS = 5_000;

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
    await this.rpc.request(subjects.memoryRpc('add'), z.unknown(), body, { timeoutMs: TIMEOUT_MS });
  }

  override searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    return this.rpc.request(subjects.memoryRpc('search'), foundMemoriesSchema, request, {
      timeoutMs: TIMEOUT_MS,
    });
  }
}
