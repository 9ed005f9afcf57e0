import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AdkError } from '@skein/contracts';
import { Answers } from './answers';
import { type MCPConnectionParams } from './connection-params';
import { SessionLost } from './session-lost';
import { type FetchWatch } from './watched-fetch';

/** Whether a session still stands, told from what its transport hears. The SDK itself waits until a request's time is over. */
export class SessionHealth {
  #lost: Error | undefined;
  #isReady = false;
  #failure: unknown;
  readonly #answers = new Answers();

  /** `onLost` is called once, when no request that waits can be answered any more. */
  constructor(
    private readonly type: MCPConnectionParams['type'],
    private readonly onLost: () => void,
  ) {}

  /** Why no new request is sent by it; nothing while it stands. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** Before the transport is given to the SDK, which keeps what is there. */
  listenTo(transport: Transport): void {
    transport.onerror = (error) => this.#hear(error);
    transport.onclose = () => this.#lose(new SessionLost('the connection was closed'));
    transport.onmessage = (message) => {
      if ('id' in message && !('method' in message)) this.#answers.came(message.id);
    };
  }

  /** What a request failed with last: the way by SSE tells no more than that it did. */
  get failure(): unknown {
    return this.#failure;
  }

  /** It is initialised: from now on it can be lost. */
  ready(): void {
    this.#isReady = true;
  }

  fetchWatch(maxMessageBytes: number): FetchWatch {
    return {
      maxMessageBytes,
      hasSession: () => this.#isReady,
      onLost: (reason) => this.#retire(reason),
      onFailed: (error) => {
        this.#failure = error;
      },
      onRequest: (id) => {
        // By the old way answers come on a stream of their own, whose loss the transport tells.
        if (this.type === 'StreamableHTTPConnectionParams') this.#answers.asked(id);
      },
      onAnswerEnded: (id, end) => {
        this.#answers.ended(id, end.isResumable, () => this.#lose(new SessionLost('an answer was cut')));
      },
      onTooLarge: (error) => this.#lose(error),
    };
  }

  /** Of what transports tell most is about one message. */
  #hear(error: Error): void {
    if (isSseError(error)) {
      // It would connect again by itself, as a session the server does not know.
      this.#lose(new SessionLost(error.message, { cause: error }));
    }
    if (error.message.startsWith('Maximum reconnection attempts')) {
      const reason = new SessionLost(error.message, { cause: error });
      if (this.#answers.hasCut) this.#lose(reason);
      else this.#retire(reason);
    }
    if (error.message.startsWith('ReadBuffer exceeded')) {
      this.#lose(new AdkError('invalid', 'mcp.too-large', 'The MCP server sent a message above the limit.'));
    }
  }

  /** No new request is sent by it; those that wait may still be answered. */
  #retire(reason: Error): void {
    this.#lost ??= reason;
  }

  #lose(reason: Error): void {
    if (!this.#isReady) return;
    this.#retire(reason);
    this.onLost();
  }
}

/** The stream of the old way broke. */
export function isSseError(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === 'SseError';
}
