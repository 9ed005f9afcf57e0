import { AdkError, type BeginTool, beginToolSchema, type BegunTool, subjects } from '@skein/contracts';
import { type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { beginTool, isGenuine, readClock, type StorePool } from '@skein/session-store';
import { z } from 'zod';
import { RPC_QUEUE } from './session.rpc';

export interface ToolRpcParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly secret: string;
}

/** `rpc.tool.*`: what tool workers of an earlier version ask. */
export class ToolRpcServer {
  #servers: RpcServer[] = [];

  constructor(private readonly parts: ToolRpcParts) {}

  start(): void {
    const { connection, pool } = this.parts;
    const queue = RPC_QUEUE;
    this.#servers = [
      serveRpc(connection, subjects.toolRpc('begin'), {
        queue,
        schema: beginToolSchema,
        handler: (request) => this.#begin(request),
      }),
      serveRpc(connection, subjects.toolRpc('clock'), {
        queue,
        schema: z.object({}),
        handler: () => readClock(pool),
      }),
    ];
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #begin(request: BeginTool): Promise<BegunTool> {
    const { pool, secret } = this.parts;
    if (!isGenuine(secret, request.tool, request.ticket)) {
      throw new AdkError(
        'denied',
        'tool.forged',
        `The ticket of a call of ${request.tool} was not issued here.`,
      );
    }
    return beginTool(pool, request);
  }
}
