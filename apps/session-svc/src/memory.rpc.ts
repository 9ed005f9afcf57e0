import { addToMemorySchema, type MemoryVerb, searchMemorySchema, subjects } from '@skein/contracts';
import { type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { addToMemory, searchMemory, type StorePool } from '@skein/session-store';
import { type z } from 'zod';
import { RPC_QUEUE } from './sessions/session.rpc';

/** `rpc.memory.*`: what users said in earlier sessions. */
export class MemoryRpcServer {
  readonly #servers: RpcServer[] = [];

  constructor(
    private readonly pool: StorePool,
    private readonly connection: MessagingConnection,
  ) {}

  start(): void {
    const { pool } = this;
    this.#serve('add', addToMemorySchema, (request) => addToMemory(pool, request));
    this.#serve('search', searchMemorySchema, (request) => searchMemory(pool, request));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #serve<Schema extends z.ZodType>(
    verb: MemoryVerb,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    this.#servers.push(
      serveRpc(this.connection, subjects.memoryRpc(verb), { queue: RPC_QUEUE, schema, handler }),
    );
  }
}
