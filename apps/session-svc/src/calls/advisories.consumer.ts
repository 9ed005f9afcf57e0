import { Controller, UseFilters } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import {
  AdkError,
  type Advisory,
  dispatchIdSchema,
  toolCallMessageSchema,
  type ToolCallMessage,
  toolPriorities,
  toolQueue,
  type ToolResultMessage,
} from '@skein/contracts';
import {
  type Delivery,
  dropGivenUp,
  type MessagingConnection,
  PassErrorFilter,
  readGivenUp,
} from '@skein/messaging';
import { type Logger } from '@skein/platform';
import { givenUp, isRedrive, purposeOf, readOpenCall, type StorePool } from '@skein/session-store';
import { type CallPasses } from './call-passes';
import { type EndedCalls } from './ended-calls';

export const ADVISORIES_PATTERN = 'ADVISORIES';

/** A class, because Nest injects by type. */
export abstract class AdvisoriesParts {
  abstract readonly pool: StorePool;
  abstract readonly connection: MessagingConnection;
  abstract readonly passes: Pick<CallPasses, 'isStored'>;
  abstract readonly ended: Pick<EndedCalls, 'end' | 'endRedriven'>;
  abstract readonly secret: string;
  abstract readonly logger: Logger;
}

/** One second before the second, then twice as long each time. */
const EARLY_TRIES = 5;
const TERMINATED = 'io.nats.jetstream.advisory.v1.terminated';

/**
 * Hears of messages JetStream gave up. A call among them is ended at once, where its deadline would end it later; of runs
 * and results the database knows all that is needed, so they are told of only.
 */
@Controller()
@UseFilters(PassErrorFilter)
export class AdvisoriesConsumer {
  constructor(private readonly parts: AdvisoriesParts) {}

  /** Acked once the call is ended and its message is out of the stream: cut anywhere before, all of it is done again. */
  @MessagePattern(ADVISORIES_PATTERN)
  async take(@Payload() advisory: Advisory, @Ctx() { deliveryCount }: Delivery): Promise<void> {
    const { logger } = this.parts;
    const { stream, consumer, deliveries, reason } = advisory;
    logger.warn({ stream, consumer, sequence: advisory.stream_seq, deliveries, reason }, 'message given up');
    if (stream !== 'TOOLS') return;
    if (advisory.type === TERMINATED) return this.#endRefused(advisory, deliveryCount);
    return this.#endPoison(advisory);
  }

  /** Its message still lies in the stream. */
  async #endPoison({ stream_seq: sequence, deliveries }: Advisory): Promise<void> {
    const { connection, secret, logger } = this.parts;
    const place = { stream: 'TOOLS', sequence } as const;
    const message = await readGivenUp(connection, place, toolCallMessageSchema).catch(unlessUnreadable);
    const purpose = message && purposeOf(secret, message.call.tool, message.ticket);
    // One that left while it was stored is ended if it is the one that was (ADR 39).
    const isOurs = purpose && (purpose !== 'ahead' || (await this.parts.passes.isStored(message.ticket)));
    if (isOurs) await this.#end(poisoned(message, deliveries));
    else logger.warn({ sequence }, 'no call of ours, nothing is ended');
    await dropGivenUp(connection, place);
  }

  /** Its message is gone; whose it was is in the reason. Who refused it took it from its own queue, and ends no call of another. */
  async #endRefused({ reason = '', consumer }: Advisory, deliveryCount: number): Promise<void> {
    const { pool, secret } = this.parts;
    const [messageId, why] = split(reason, ' ');
    const [id, rest] = split(messageId, '.');
    const dispatchId = dispatchIdSchema.safeParse(id);
    // A forged message says nothing of the call it names.
    if (!dispatchId.success || why.includes('.forged:')) return;
    if (!(await this.#isOfStored(dispatchId.data, rest, deliveryCount))) return;
    const call = await readOpenCall(pool, secret, dispatchId.data);
    if (!call || !toolPriorities.some((priority) => toolQueue(call.pool, priority).durable === consumer))
      return;
    // As `{dispatchId}.{attempt}`, with more behind it when it was sent again.
    if (Number.parseInt(rest, 10) < call.ticket.attempt) return;
    const message = `The call of tool '${call.tool}' was refused by its worker: ${why}`;
    await this.#end(givenUp(call, { code: 'tool.poison', message }));
  }

  /** Whether a message that left while its call was stored is of the one that was (ADR 39); `rest` is what stands behind the call in its id. */
  async #isOfStored(dispatchId: string, rest: string, deliveryCount: number): Promise<boolean> {
    const [attempt, deadline] = rest.split('.ahead.');
    if (deadline === undefined) return true;
    const claims = { dispatchId, attempt: Number(attempt), deadlineMs: Number(deadline) };
    const isStored = await this.parts.passes.isStored(claims);
    if (isStored === undefined && deliveryCount <= EARLY_TRIES)
      throw new AdkError('unavailable', 'call.early', `Call ${dispatchId} is not stored yet.`);
    return isStored === true;
  }

  /** The message of an attempt before the one under way says nothing of that. */
  async #end(result: ToolResultMessage): Promise<void> {
    const { ended, secret } = this.parts;
    if (isRedrive(secret, result.tool, result.ticket)) return ended.endRedriven(result);
    await ended.end(result, { upToAttempt: result.ticket.attempt });
  }
}

function poisoned(message: ToolCallMessage, deliveries: number): ToolResultMessage {
  const { tool } = message.call;
  return givenUp(
    { ...message, tool },
    {
      code: 'tool.poison',
      message: `Tool '${tool}' was given up: its call was delivered ${deliveries} times, and nobody answered.`,
    },
  );
}

/** A body that no version of ours wrote ends nothing; one that cannot be read now may be read later. */
function unlessUnreadable(error: unknown): undefined {
  if (AdkError.from(error).kind !== 'invalid') throw error;
  return undefined;
}

function split(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
