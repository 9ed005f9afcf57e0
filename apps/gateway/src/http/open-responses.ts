import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

/** The responses that are not finished. Made before the server's other listeners, so that it hears of each first. */
export class OpenResponses {
  readonly #open = new Set<ServerResponse>();
  #isLeaving = false;

  constructor(server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.#open.add(response);
      if (this.#isLeaving) leaveAfter(response);
      response.once('close', () => this.#open.delete(response));
    });
  }

  /** From now on each answer is the last on its connection, so that the next request goes to another process. */
  closeTheirConnections(): void {
    this.#isLeaving = true;
    for (const response of this.#open) leaveAfter(response);
  }

  /** Settles when all are finished, those that come meanwhile too. */
  async closed(): Promise<void> {
    for (const response of this.#open) await once(response, 'close');
  }
}

function leaveAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
