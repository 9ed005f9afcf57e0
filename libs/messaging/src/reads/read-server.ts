import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { AdkError, type RpcReply } from '@skein/contracts';
import type { Logger } from '@skein/platform';
import { type z } from 'zod';
import { leaveSocket, listenIn } from '../sockets/socket-folder';

type Answer = (body: unknown) => Promise<unknown>;

/** What a request may hold; reads name what they want, and bring nothing. */
const MAX_BODY_BYTES = 64 * 1024;

/** Where the processes of one DATA_DIR find each other's read servers. */
export function readSocketsFolder(dataDir: string): string {
  return path.join(dataDir, 'reads');
}

/**
 * Answers reads while NATS is away, on a socket of the file system under DATA_DIR: who may open the folder may read, and
 * no port is opened. The same handlers answer on NATS.
 */
export class ReadServer {
  readonly #answers = new Map<string, Answer>();
  readonly #server = createServer((request, response) => {
    void this.#reply(request).then((reply) => {
      response.setHeader('content-type', 'application/json').end(reply);
    });
  });
  #socket = '';

  constructor(private readonly logger: Logger) {}

  /** A subject that is answered here too. */
  offer<Schema extends z.ZodType>(
    subject: string,
    schema: Schema,
    handler: (body: z.output<Schema>) => Promise<unknown>,
  ): void {
    this.#answers.set(subject, (body) => {
      const parsed = schema.safeParse(body);
      if (parsed.success) return handler(parsed.data);
      throw new AdkError('invalid', 'message.shape', 'the request does not fit', { cause: parsed.error });
    });
  }

  /** A folder that holds no socket, or a path too long for one, costs the reads of an outage and no more. */
  async listen(dataDir: string): Promise<void> {
    const folder = readSocketsFolder(dataDir);
    const tell = (error: unknown): void =>
      this.logger.warn({ folder, err: error }, 'reads are not answered while NATS is away');
    try {
      this.#socket = await listenIn(folder, this.#server, tell);
    } catch (error) {
      tell(error);
    }
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    await leaveSocket(this.#socket, this.#server);
    this.#server.closeAllConnections();
    await closed;
  }

  async #reply(request: IncomingMessage): Promise<string> {
    try {
      const answer = this.#answers.get(request.url?.slice(1) ?? '');
      if (!answer) throw new AdkError('not_found', 'reads.unknown', `no read is called ${request.url ?? ''}`);
      const value = (await answer(JSON.parse(await bodyOf(request)))) ?? null;
      return JSON.stringify({ ok: true, value } satisfies RpcReply);
    } catch (error) {
      return JSON.stringify({ ok: false, error: AdkError.from(error).toWire() } satisfies RpcReply);
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new AdkError('invalid', 'reads.too-large', 'the request is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
