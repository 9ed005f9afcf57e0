import {
  deadLetterKeySchema,
  type DeadLetterVerb,
  listDeadLettersSchema,
  readSubjects,
  redriveSchema,
  subjects,
} from '@skein/contracts';
import { type MessagingConnection, type ReadServer, type RpcServer, serveRpc } from '@skein/messaging';
import { discardDeadLetter, inspectDeadLetter, listDeadLetters, type StorePool } from '@skein/session-store';
import { type z } from 'zod';
import { type Redrives } from './redrives';
import { RPC_QUEUE } from '../sessions/session.rpc';

export interface DeadLetterRpcParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly reads: ReadServer;
  readonly redrives: Redrives;
}

/** `rpc.dead-letter.*`: what gateways ask about calls the plane ended. */
export class DeadLetterRpcServer {
  #servers: RpcServer[] = [];

  constructor(private readonly parts: DeadLetterRpcParts) {}

  start(): void {
    const { pool, redrives } = this.parts;
    this.#serve('list', listDeadLettersSchema, (request) => listDeadLetters(pool, request));
    this.#serve('inspect', deadLetterKeySchema, (request) => inspectDeadLetter(pool, request));
    this.#serve('redrive', redriveSchema, (request) => redrives.redrive(request));
    this.#serve('discard', deadLetterKeySchema, (request) => discardDeadLetter(pool, request));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #serve<Schema extends z.ZodType>(
    verb: DeadLetterVerb,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    const { connection, reads } = this.parts;
    const subject = subjects.deadLetterRpc(verb);
    this.#servers.push(serveRpc(connection, subject, { queue: RPC_QUEUE, schema, handler }));
    if (readSubjects.includes(subject)) reads.offer(subject, schema, handler);
  }
}
