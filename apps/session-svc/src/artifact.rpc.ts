import {
  type ArtifactVerb,
  artifactKeySchema,
  findArtifactSchema,
  listArtifactsSchema,
  recordArtifactSchema,
  readSubjects,
  subjects,
} from '@skein/contracts';
import { type MessagingConnection, type ReadServer, type RpcServer, serveRpc } from '@skein/messaging';
import {
  deleteArtifact,
  describeArtifact,
  findArtifact,
  listArtifacts,
  listArtifactVersions,
  recordArtifact,
  type StorePool,
} from '@skein/session-store';
import { type z } from 'zod';
import { RPC_QUEUE } from './sessions/session.rpc';

/** `rpc.artifact.*`: versions and metadata; the bytes go between their users and the object store. */
export class ArtifactRpcServer {
  readonly #servers: RpcServer[] = [];

  constructor(
    private readonly pool: StorePool,
    private readonly connection: MessagingConnection,
    private readonly reads: ReadServer,
  ) {}

  start(): void {
    const { pool } = this;
    this.#serve('record', recordArtifactSchema, (request) => recordArtifact(pool, request));
    this.#serve('find', findArtifactSchema, (request) => findArtifact(pool, request));
    this.#serve('list', listArtifactsSchema, (request) => listArtifacts(pool, request));
    this.#serve('versions', artifactKeySchema, (request) => listArtifactVersions(pool, request));
    this.#serve('describe', artifactKeySchema, (request) => describeArtifact(pool, request));
    this.#serve('delete', artifactKeySchema, (request) => deleteArtifact(pool, request));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #serve<Schema extends z.ZodType>(
    verb: ArtifactVerb,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    const subject = subjects.artifactRpc(verb);
    this.#servers.push(serveRpc(this.connection, subject, { queue: RPC_QUEUE, schema, handler }));
    if (readSubjects.includes(subject)) this.reads.offer(subject, schema, handler);
  }
}
