import {
  type DeadLetter,
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

  override async list(input: ListDeadLetters): Promise<DeadLetterPage> {
    const page = await this.#ask('list', deadLetterPageSchema, input);
    return { ...page, deadLetters: page.deadLetters.map(shown) };
  }

  override inspect(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#askForOne('inspect', input);
  }

  override redrive(input: Redrive): Promise<DeadLetterDetails> {
    return this.#askForOne('redrive', input);
  }

  override discard(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#askForOne('discard', input);
  }

  async #askForOne(verb: DeadLetterVerb, body: unknown): Promise<DeadLetterDetails> {
    return shown(await this.#ask(verb, deadLetterDetailsSchema, body));
  }

  #ask<T>(verb: DeadLetterVerb, replySchema: z.ZodType<T>, body: unknown): Promise<T> {
    return this.rpc.request(subjects.deadLetterRpc(verb), replySchema, body, { timeoutMs: TIMEOUT_MS });
  }
}

/** To people its attempts are those that were begun: none of a call that nobody ever served. */
function shown<Letter extends DeadLetter>({
  started,
  ...letter
}: Letter): Omit<Letter, 'started'> & DeadLetter {
  return { ...letter, attempts: started ?? letter.attempts };
}
