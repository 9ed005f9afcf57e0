import {
  AdkError,
  type DeadLetterDetails,
  type DeadLetterKey,
  type DeadLetterPage,
  type ListDeadLetters,
  type Redrive,
} from '@skein/contracts';
import { DeadLetterApi } from '../src/dead-letters/dead-letter-api';

export const LETTER = `d-${'0'.repeat(32)}`;

/** One letter, of the app `quickstart`; every ask is noted. */
export class FakeDeadLetters extends DeadLetterApi {
  readonly calls: { readonly verb: string; readonly input: unknown }[] = [];
  failure: Error | undefined;

  override async list(input: ListDeadLetters): Promise<DeadLetterPage> {
    this.#note('list', input);
    const deadLetters = input.appName === 'quickstart' ? [aLetter()] : [];
    return { deadLetters, next: { diedAtMicros: 1_700_000_000_000_001, dispatchId: LETTER } };
  }

  override async inspect(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#answer('inspect', input);
  }

  override async redrive(input: Redrive): Promise<DeadLetterDetails> {
    return this.#answer('redrive', input);
  }

  override async discard(input: DeadLetterKey): Promise<DeadLetterDetails> {
    return this.#answer('discard', input);
  }

  #answer(verb: string, input: DeadLetterKey): DeadLetterDetails {
    this.#note(verb, input);
    if (input.appName === 'quickstart' && input.dispatchId === LETTER) return aLetter();
    throw new AdkError('not_found', 'dead-letter.not-found', `Dead letter not found: ${input.dispatchId}`);
  }

  #note(verb: string, input: unknown): void {
    this.calls.push({ verb, input });
    if (this.failure) throw this.failure;
  }
}

function aLetter(): DeadLetterDetails {
  return {
    ...{ appName: 'quickstart', userId: 'user', sessionId: 's', dispatchId: LETTER },
    ...{ invocationId: 'e-0193e7a0-0000-7000-8000-000000000001', agentName: 'root', callId: 'adk-1' },
    ...{ tool: 'add', pool: 'default', attempts: 3, code: 'tool.attempts-spent', message: 'Spent.' },
    ...{ status: 'open', dieTime: 1_700_000_000, args: { a: 1 } },
    policy: { timeoutMs: 1000, maxAttempts: 3, sideEffect: 'idempotent' },
  };
}
