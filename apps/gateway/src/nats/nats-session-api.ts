import {
  eventPageSchema,
  inspectedInvocationSchema,
  invocationPageSchema,
  invocationStateSchema,
  sessionHeadSchema,
  sessionSchema,
  submittedSchema,
  subjects,
  type AddToMemory,
  type CancelInvocation,
  type CreateSession,
  type DeleteSession,
  type EventPage,
  type GetSession,
  type InspectedInvocation,
  type InspectInvocation,
  type InvocationPage,
  type InvocationState,
  type ListInvocations,
  type ListSessions,
  type ReadEvents,
  type ReadInvocation,
  type RewindSession,
  type Session,
  type SessionHead,
  type SessionVerb,
  type Submit,
  type Submitted,
  type WriteEvent,
} from '@skein/contracts';
import { mayHaveArrived, type RequestOptions, type RpcClient } from '@skein/messaging';
import { z } from 'zod';
import { SessionApi } from '../session-api';
import { type NatsSessionFeed } from './nats-session-feed';

type Way = Partial<Pick<RequestOptions, 'behindSent'>>;

const TIMEOUT_MS = 5_000;

/** session-svc over request-reply. */
export class NatsSessionApi extends SessionApi {
  constructor(
    private readonly rpc: RpcClient,
    private readonly feed: Pick<NatsSessionFeed, 'subscriptionOf'>,
  ) {
    super();
  }

  /** Behind the subscription of who follows it, where the server might not have that yet. */
  override async submit(input: Submit): Promise<Submitted> {
    const subscription = this.feed.subscriptionOf(input);
    const behindSent = subscription?.isInForce === false;
    const submitted = await this.#askUntilHeard('submit', submittedSchema, input, { behindSent });
    if (subscription) subscription.isInForce = true;
    return submitted;
  }

  override create(input: CreateSession): Promise<Session> {
    return this.#askUntilHeard('create', sessionSchema, input);
  }

  override async get(input: GetSession): Promise<Session | undefined> {
    return (await this.#ask('get', sessionSchema.nullish(), input)) ?? undefined;
  }

  override list(input: ListSessions): Promise<Session[]> {
    return this.#ask('list', z.array(sessionSchema), input);
  }

  override async delete(input: DeleteSession): Promise<void> {
    await this.#ask('delete', z.unknown(), input);
  }

  override write(input: WriteEvent): Promise<SessionHead> {
    return this.#askUntilHeard('write', sessionHeadSchema, input);
  }

  override rewind(input: RewindSession): Promise<SessionHead> {
    return this.#askUntilHeard('rewind', sessionHeadSchema, input);
  }

  override async remember(input: AddToMemory): Promise<void> {
    await this.rpc.request(subjects.memoryRpc('add'), z.unknown(), input, { timeoutMs: TIMEOUT_MS });
  }

  override events(input: ReadEvents): Promise<EventPage> {
    return this.#ask('events', eventPageSchema, input);
  }

  override invocation(input: ReadInvocation): Promise<InvocationState> {
    return this.#ask('invocation', invocationStateSchema, input);
  }

  override inspect(input: InspectInvocation): Promise<InspectedInvocation> {
    return this.#ask('inspect', inspectedInvocationSchema, input);
  }

  override invocations(input: ListInvocations): Promise<InvocationPage> {
    return this.#ask('invocations', invocationPageSchema, input);
  }

  override cancel(input: CancelInvocation): Promise<InspectedInvocation> {
    return this.#ask('cancel', inspectedInvocationSchema, input);
  }

  /** Once more when nothing was heard: the process asked may have died in it. Each of these is one by what names it. */
  async #askUntilHeard<T>(
    verb: SessionVerb,
    replySchema: z.ZodType<T>,
    body: unknown,
    way: Way = {},
  ): Promise<T> {
    try {
      return await this.#ask(verb, replySchema, body, way);
    } catch (error) {
      if (!mayHaveArrived(error)) throw error;
      return this.#ask(verb, replySchema, body, way);
    }
  }

  #ask<T>(verb: SessionVerb, replySchema: z.ZodType<T>, body: unknown, way: Way = {}): Promise<T> {
    return this.rpc.request(subjects.sessionRpc(verb), replySchema, body, { timeoutMs: TIMEOUT_MS, ...way });
  }
}
