import {
  type DeadLetterDetails,
  deadLetterDetailsSchema,
  type DeadLetterKey,
  type DeadLetterPage,
  deadLetterPageSchema,
  type DeadLetterVerb,
  type ListDeadLetters,
  type Redrive,
  subjects,
} from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type z } from 'zod';
import { DeadLetterApi } from '../dead-letters/dead-letter-api';

const TIMEOUT_MS = 5_000;

/** session-svc over request-reply. */
export class NatsDeadLetterApi extends DeadLetterApi {
  constructor(private readonly rpc: RpcClient) {
    super();
  }

  override list(input: ListDeadLetters): Promise<DeadLetterPage> {
    return this.#ask('list', deadLetterPageSchema, input);
  }

  override inspect(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#ask('inspect', deadLetterDetailsSchema, input);
  }

  override redrive(input: Redrive): Promise<DeadLetterDetails> {
    return this.#ask('redrive', deadLetterDetailsSchema, input);
  }

  override discard(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#ask('discard', deadLetterDetailsSchema, input);
  }

  #ask<T>(verb: DeadLetterVerb, replySchema: z.ZodType<T>, body: unknown): Promise<T> {
    return this.rpc.request(subjects.deadLetterRpc(verb), replySchema, body, { timeoutMs: TIMEOUT_MS });
  }
}
