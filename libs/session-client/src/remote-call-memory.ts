import { AdkError, type CallPass, foundMemoriesSchema, retryTransient, subjects } from '@skein/contracts';
import { MemoryService, type SearchMemoryRequest, type SearchMemoryResponse } from '@skein/engine';
import { type RpcClient } from '@skein/messaging';

const TIMEOUT_MS = 5_000;
/** So long nobody may answer a tool; after that it is told. */
const PATIENCE_MS = 30_000;

/** The memory of the user a call is made for, to be read by the worker that has the call. */
export class RemoteCallMemory extends MemoryService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pass: CallPass,
  ) {
    super();
  }

  /** What is remembered is what was stored: a worker has not the session to tell it. */
  override addSessionToMemory(): Promise<void> {
    return Promise.reject(
      new AdkError(
        'denied',
        'call.refused',
        'A tool in a worker may search the memory, and not write to it.',
      ),
    );
  }

  override searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const body = { ...this.pass, request };
    return retryTransient(
      () =>
        this.rpc.request(subjects.callRpc('memory-search'), foundMemoriesSchema, body, {
          timeoutMs: TIMEOUT_MS,
        }),
      { withinMs: PATIENCE_MS },
    );
  }
}
