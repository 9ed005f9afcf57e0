/// <reference types="jest" />
import { inspect } from 'node:util';
import { type Content } from '@skein/contracts';
import { type BaseLlm, type GenerateContentConfig, type LlmResponse } from '@skein/engine';
import { aRequest } from '../../builders';
import { collect } from '../../collect';
import { type Behaviour } from '../../providers/behaviour';
import { type Heard, type ProviderDialect, type Said } from '../../providers/provider-dialect';
import { ProviderServer } from '../../providers/provider-server';

export interface LlmParams {
  readonly model: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxAttempts: number;
}

export interface Asked {
  readonly contents?: Content[];
  readonly config?: GenerateContentConfig;
  readonly signal?: AbortSignal;
  readonly llm?: Partial<LlmParams>;
}

/** A model under test and the server that it asks, anew for each case. */
export class Trial {
  #server: ProviderServer | undefined;

  constructor(
    private readonly make: (params: LlmParams) => BaseLlm,
    readonly stream: boolean,
  ) {}

  async start(dialect: ProviderDialect, model: string): Promise<void> {
    this.#server = await ProviderServer.start(dialect, model);
  }

  async end(): Promise<void> {
    const { left } = this.server;
    await this.server.stop();
    expect(left).toBe(0);
  }

  get server(): ProviderServer {
    if (!this.#server) throw new Error('The server is not started.');
    return this.#server;
  }

  /** The pieces of an answer, as they come. */
  pieces({ contents = [user('hi')], config = {}, signal, llm = {} }: Asked = {}): AsyncGenerator<
    LlmResponse,
    void
  > {
    const { model, apiKey, baseUrl } = this.server;
    const policy = {
      connectTimeoutMs: 20_000,
      idleTimeoutMs: 20_000,
      totalTimeoutMs: 20_000,
      maxAttempts: 1,
    };
    const made = this.make({ model, apiKey, baseUrl, ...policy, ...llm });
    return made.generateContentAsync(aRequest({ model: made.model, contents, config }), this.stream, signal);
  }

  /** Plays one behaviour and answers the whole answer, the only one that is not partial, and what was shown before. */
  async whole(
    behaviour: Behaviour | Said,
    asked: Asked = {},
  ): Promise<LlmResponse & { shown: LlmResponse[] }> {
    this.server.queue('parts' in behaviour ? { says: behaviour } : behaviour);
    const answers = await collect(this.pieces(asked));
    const whole = answers.pop();
    expect(answers.filter(({ partial }) => partial !== true)).toEqual([]);
    if (!this.stream) expect(answers).toEqual([]);
    expect(this.server.refused).toEqual([]);
    if (!whole || whole.partial) throw new Error('The last answer is not a whole one.');
    return { ...whole, shown: answers };
  }

  /** What the provider was asked with such a request. */
  async heard(asked: Asked): Promise<Heard> {
    await this.whole({ parts: [{ text: 'Well.' }] }, asked);
    const heard = this.server.heard.at(-1);
    if (!heard) throw new Error('The server was not asked.');
    return heard;
  }

  /** The error that asking ends with; its every property is without the key, and no answer was a whole one. */
  async failure(
    asked: Asked = {},
  ): Promise<Error & { code?: unknown; reason?: unknown; shown: LlmResponse[] }> {
    const shown: LlmResponse[] = [];
    try {
      for await (const answer of this.pieces(asked)) shown.push(answer);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw new Error(`Not an error: ${inspect(thrown)}`, { cause: thrown });
      expect(everythingOf(thrown)).not.toContain(asked.llm?.apiKey ?? this.server.apiKey);
      expect(shown.filter(({ partial }) => partial !== true)).toEqual([]);
      return Object.assign(thrown, { shown });
    }
    return unexpected(shown);
  }
}

function unexpected(shown: readonly LlmResponse[]): never {
  throw new Error(`It did not fail, but answered ${inspect(shown, { depth: 6 })}`);
}

/** Message, stack, cause and all properties, hidden ones as well; and what becomes of it as JSON. */
function everythingOf(error: Error): string {
  const all = inspect(error, {
    depth: Infinity,
    showHidden: true,
    maxStringLength: null,
    maxArrayLength: null,
  });
  return `${all} ${error.stack ?? ''} ${JSON.stringify(error)} ${JSON.stringify(Object.entries(error))}`;
}

export function user(...parts: (string | NonNullable<Content['parts']>[number])[]): Content {
  return { role: 'user', parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) };
}

export function model(...parts: (string | NonNullable<Content['parts']>[number])[]): Content {
  return { ...user(...parts), role: 'model' };
}

export function saying(...texts: string[]): Said {
  return { parts: texts.map((text) => ({ text })) };
}
