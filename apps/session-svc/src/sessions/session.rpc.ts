import {
  appendUnitSchema,
  cancelInvocationSchema,
  type AppendUnit,
  type Appended,
  type Claim,
  type Claimed,
  claimSchema,
  createSessionSchema,
  deleteSessionSchema,
  getSessionSchema,
  inspectInvocationSchema,
  listInvocationsSchema,
  listSessionsSchema,
  readEventsSchema,
  readInvocationSchema,
  type Release,
  releaseSchema,
  renewSchema,
  rewindSessionSchema,
  type SessionVerb,
  readSubjects,
  subjects,
  submitSchema,
  writeEventSchema,
} from '@skein/contracts';
import { type MessagingConnection, type ReadServer, type RpcServer, serveRpc } from '@skein/messaging';
import {
  type AppendBatcher,
  claimInTurn,
  claimInvocation,
  createSession,
  deleteSession,
  inspectInvocation,
  listInvocations,
  listSessions,
  readEventPage,
  readInvocation,
  readSession,
  releaseInvocation,
  renewLeases,
  type StorePool,
} from '@skein/session-store';
import { type z } from 'zod';
import { type Cancellation } from './cancellation';
import { type ForeignWrites } from './foreign-writes';
import { type HandOver } from './hand-over';
import { type InvocationOwners } from './invocation-owners';
import { queueSpan } from './queue-span';
import { type RunnerDirectory } from './runner-directory';
import { type SessionHeads } from './session-heads';
import { type Submits } from './submits';

export interface SessionRpcParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly batcher: AppendBatcher;
  readonly submits: Submits;
  readonly heads: SessionHeads;
  readonly directory: RunnerDirectory;
  readonly owners: InvocationOwners;
  readonly handOver: HandOver;
  readonly foreignWrites: ForeignWrites;
  readonly cancellation: Cancellation;
  readonly leaseMs: number;
  readonly reads: ReadServer;
}

/** Every session-svc takes from one queue: a request goes to any of them. */
export const RPC_QUEUE = 'session-svc';

/** An append holds its slot while it waits for its batch, so many have to fit at once. */
const APPEND_CONCURRENCY = 4_096;

/** `rpc.session.*`: what gateways and runners ask. */
export class SessionRpcServer {
  #servers: RpcServer[] = [];

  constructor(private readonly parts: SessionRpcParts) {}

  start(): void {
    const { pool, batcher, submits, foreignWrites, cancellation, heads, leaseMs } = this.parts;
    this.#serve('submit', submitSchema, (request) => submits.submit(request));
    this.#serve('append', appendUnitSchema, (unit) => this.#append(unit, batcher), APPEND_CONCURRENCY);
    this.#serve('claim', claimSchema, (claim) => this.#claim(claim));
    this.#serve('renew', renewSchema, (renew) => renewLeases(pool, renew, leaseMs));
    this.#serve('release', releaseSchema, (release) => this.#release(release));
    this.#serve('events', readEventsSchema, (request) => readEventPage(pool, request));
    this.#serve('invocation', readInvocationSchema, (request) => readInvocation(pool, request));
    this.#serve('inspect', inspectInvocationSchema, (request) => inspectInvocation(pool, request));
    this.#serve('invocations', listInvocationsSchema, (request) => listInvocations(pool, request));
    this.#serve('create', createSessionSchema, (request) => createSession(pool, request));
    this.#serve('get', getSessionSchema, (request) => readSession(pool, request));
    this.#serve('list', listSessionsSchema, (request) => listSessions(pool, request));
    this.#serve('write', writeEventSchema, (request) => foreignWrites.write(request));
    this.#serve('rewind', rewindSessionSchema, (request) => foreignWrites.rewind(request));
    this.#serve('cancel', cancelInvocationSchema, (request) => cancellation.cancel(request));
    this.#serve('delete', deleteSessionSchema, (request) => {
      heads.forget(request);
      return deleteSession(pool, request);
    });
  }

  /** Takes no more requests; settles when those here are answered. */
  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #serve<Schema extends z.ZodType>(
    verb: SessionVerb,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
    concurrency?: number,
  ): void {
    const options = { queue: RPC_QUEUE, schema, handler, ...(concurrency !== undefined && { concurrency }) };
    const subject = subjects.sessionRpc(verb);
    this.#servers.push(serveRpc(this.parts.connection, subject, options));
    if (readSubjects.includes(subject)) this.parts.reads.offer(subject, schema, handler);
  }

  #append(unit: AppendUnit, batcher: AppendBatcher): Promise<Appended> {
    this.parts.owners.seen(unit.invocationId, unit.runnerId);
    return batcher.append(unit);
  }

  async #claim(claim: Claim): Promise<Claimed> {
    const { pool, owners, directory, leaseMs } = this.parts;
    const run = await (claim.inTurn ? claimInTurn : claimInvocation)(pool, claim, leaseMs);
    if (!run) return {};
    owners.seen(run.handover.invocationId, claim.runnerId);
    directory.claimed(claim.runnerId, run.handover);
    queueSpan(run);
    return { handover: run.handover };
  }

  async #release({ invocationId, epoch, runnerId }: Release): Promise<void> {
    const { pool, owners, handOver } = this.parts;
    if (!(await releaseInvocation(pool, invocationId, epoch))) return;
    owners.forget(invocationId);
    handOver.dispatch({ invocationId, epoch }, runnerId);
  }
}
