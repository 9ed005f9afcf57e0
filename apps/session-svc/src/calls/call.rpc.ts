import {
  againCallSchema,
  AdkError,
  artifactKeySchema,
  type AskServed,
  askServedSchema,
  type AskStored,
  askStoredSchema,
  type BeginTool,
  beginToolSchema,
  type BegunTool,
  callRequestSchema,
  type CallVerb,
  findArtifactSchema,
  listArtifactsSchema,
  recordArtifactSchema,
  returnCallSchema,
  searchMemorySchema,
  type SessionKey,
  type StoredVerdict,
  subjects,
  type ToolServed,
} from '@skein/contracts';
import { type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import {
  beginTool,
  deleteArtifact,
  describeArtifact,
  findArtifact,
  listArtifacts,
  listArtifactVersions,
  readClock,
  recordArtifact,
  searchMemory,
  type StorePool,
} from '@skein/session-store';
import { z } from 'zod';
import { type CallPasses } from './call-passes';
import { type CallsAgain } from './calls-again';
import { type ReturnedCalls } from './returned-calls';
import { type StoredCalls } from './stored-calls';
import { RPC_QUEUE } from '../sessions/session.rpc';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface CallRpcParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly passes: CallPasses;
  readonly stored: Pick<StoredCalls, 'serve'>;
  readonly workers: Pick<WorkerDirectory, 'names'>;
  readonly returned: Pick<ReturnedCalls, 'take'>;
  readonly again: Pick<CallsAgain, 'take'>;
}

type Asked = Pick<SessionKey, 'appName' | 'userId'> & Partial<Pick<SessionKey, 'sessionId'>>;

/** `rpc.call.*`: what tool workers ask: the clock that deadlines are by, and all else for one call that they have. */
export class CallRpcServer {
  readonly #servers: RpcServer[] = [];

  constructor(private readonly parts: CallRpcParts) {}

  start(): void {
    const { pool, connection, stored, returned, again } = this.parts;
    this.#servers.push(stored.serve(connection));
    // Workers of a version before ask on a subject of their own.
    for (const subjectOf of [subjects.callRpc, subjects.toolRpc]) {
      this.#serve(subjectOf('begin'), beginToolSchema, (request) => this.#begin(request));
      this.#serve(subjectOf('clock'), z.object({}), () => readClock(pool));
    }
    this.#serve(subjects.callRpc('stored'), askStoredSchema, (request) => this.#stored(request));
    this.#serve(subjects.callRpc('return'), returnCallSchema, (request) => returned.take(request));
    this.#serve(subjects.callRpc('again'), againCallSchema, (request) => again.take(request));
    // Asked by workers of an earlier version, who hand calls back by themselves.
    this.#serve(subjects.callRpc('served'), askServedSchema, (request) => this.#served(request));
    this.#offer('artifact-record', recordArtifactSchema, (request) => recordArtifact(pool, request));
    this.#offer('artifact-find', findArtifactSchema, (request) => findArtifact(pool, request));
    this.#offer('artifact-list', listArtifactsSchema, (request) => listArtifacts(pool, request));
    this.#offer('artifact-versions', artifactKeySchema, (request) => listArtifactVersions(pool, request));
    this.#offer('artifact-describe', artifactKeySchema, (request) => describeArtifact(pool, request));
    this.#offer('artifact-delete', artifactKeySchema, (request) => deleteArtifact(pool, request));
    this.#offer('memory-search', searchMemorySchema, (request) => searchMemory(pool, request));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /** Of a call that is over the answer says so, which is no error. */
  async #begin(request: BeginTool): Promise<BegunTool> {
    this.parts.passes.assertGenuine(request);
    return beginTool(this.parts.pool, request);
  }

  /** Asked where the process that sent the call does not say. Of a call that may be stored yet the answer is `call.early`. */
  async #stored({ tool, ticket }: AskStored): Promise<{ readonly verdict: StoredVerdict }> {
    try {
      await this.parts.passes.check({ tool, ticket });
      return { verdict: 'stored' };
    } catch (error) {
      if (AdkError.from(error).code === 'call.over') return { verdict: 'refused' };
      throw error;
    }
  }

  async #served({ tool, ticket, pool }: AskServed): Promise<ToolServed> {
    const { appName } = await this.parts.passes.check({ tool, ticket });
    return { isServed: this.parts.workers.names(appName, tool, pool) };
  }

  /** What is about a session: the call's own alone. */
  #offer<Schema extends z.ZodType<Asked>>(
    verb: CallVerb,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    this.#serve(subjects.callRpc(verb), callRequestSchema(schema), async ({ tool, ticket, request }) => {
      await this.parts.passes.check({ tool, ticket }, request);
      return handler(request);
    });
  }

  #serve<Schema extends z.ZodType>(
    subject: string,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    this.#servers.push(serveRpc(this.parts.connection, subject, { queue: RPC_QUEUE, schema, handler }));
  }
}
