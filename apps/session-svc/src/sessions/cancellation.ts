import { type CancelInvocation, type InspectedInvocation, subjects } from '@skein/contracts';
import { type MessagingConnection, publishCore, type RpcClient } from '@skein/messaging';
import { type Logger, type WorkIds, workIdsOf } from '@skein/platform';
import {
  cancelInvocation,
  type CancelledInvocation,
  type Cancelling,
  endOverdueCancel,
  findOverdueCancels,
  type HeldClaim,
  inspectInvocation,
  type StorePool,
  type UnpublishedSession,
} from '@skein/session-store';
import { type EndedCalls } from '../calls/ended-calls';
import { type EventPublisher } from '../events/event-publisher';
import { type HandOver } from './hand-over';
import { type InvocationOwners } from './invocation-owners';
import { tellRunner } from './tell-runner';
import { Tasks } from '../tasks';

export interface CancellationParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly rpc: RpcClient;
  readonly publisher: EventPublisher;
  readonly handOver: HandOver;
  readonly owners: InvocationOwners;
  readonly ended: Pick<EndedCalls, 'closed'>;
  readonly logger: Logger;
}

/** What a runner has to end a run by itself; the client has its end within 2 s either way (reliability row 40). */
const GRACE_MS = 1_500;

/** Ends invocations that are not wanted any more: by their runner where one has them, without it where it does not. */
export class Cancellation {
  readonly #tasks: Tasks;
  /** By invocation: asked to end again and again, a run is ended once. */
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly parts: CancellationParts) {
    this.#tasks = new Tasks(parts.logger);
  }

  /** Answers as soon as the wish is stored: its `cancelRequestTime` is there while the end is on its way. */
  async cancel(request: CancelInvocation): Promise<InspectedInvocation> {
    const { pool } = this.parts;
    this.#follow(await cancelInvocation(pool, request));
    return inspectInvocation(pool, request);
  }

  /** Goes on with what a submit cancelled to make way for its own. */
  interrupted(head: UnpublishedSession, cancelled: readonly CancelledInvocation[]): void {
    for (const each of cancelled) this.#follow({ cancelled: each, head, next: undefined });
  }

  /** Ends what nobody ended in time, because whoever should have died. */
  async endOverdue(): Promise<void> {
    const { pool, logger } = this.parts;
    for (const overdue of await findOverdueCancels(pool, GRACE_MS)) {
      try {
        await this.#end(overdue);
      } catch (error) {
        logger.warn({ ...overdue, err: error }, 'cancelled run not ended, the next sweep tries again');
      }
    }
  }

  /** What is not ended by now is left to the sweep of another process, or of the next. */
  async stop(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await this.#tasks.settled();
  }

  #follow({ cancelled, head, next }: Cancelling): void {
    if (!cancelled) return;
    if (cancelled.endSeq !== undefined) {
      this.#ended(cancelled, cancelled.endSeq, head);
    } else if (cancelled.holder) {
      const { holder } = cancelled;
      const ids = { ...workIdsOf(head.key), invocationId: holder.invocationId };
      this.#tasks.run('telling of a cancel', () => this.#tell(holder, ids), ids);
      this.#endLater({ ...head.key, invocationId: cancelled.invocationId });
    }
    if (next) this.parts.handOver.dispatch({ ...next, key: head.key }, cancelled.holder?.runnerId);
  }

  #ended({ invocationId, segment }: CancelledInvocation, afterSeq: number, head: UnpublishedSession): void {
    const { publisher, owners, ended } = this.parts;
    owners.forget(invocationId);
    ended.closed();
    void publisher.relay(head);
    publisher.end(head.key, { kind: 'end', invocationId, segment, status: 'cancelled', afterSeq });
  }

  #endLater(request: CancelInvocation): void {
    const { invocationId } = request;
    if (this.#timers.has(invocationId)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(invocationId);
      this.#tasks.run('ending a cancelled run', () => this.#end(request), request);
    }, GRACE_MS);
    this.#timers.set(invocationId, timer);
  }

  async #end(request: CancelInvocation): Promise<void> {
    const { pool, connection, logger } = this.parts;
    const ended = await endOverdueCancel(pool, request);
    if (!ended?.cancelled) return;
    const { invocationId } = request;
    logger.warn(
      { ...request, runnerId: ended.cancelled.holder?.runnerId },
      'ended a run that its runner did not',
    );
    this.#follow(ended);
    await publishCore(connection, subjects.cancelledCalls, { invocationId });
  }

  async #tell({ runnerId, invocationId, epoch }: HeldClaim, ids: WorkIds): Promise<void> {
    const told = { runnerId, what: 'a cancel', ids };
    await tellRunner(this.parts, told, { kind: 'cancel', invocationId, epoch });
  }
}
