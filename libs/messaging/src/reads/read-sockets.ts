import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { AdkError, type RpcReply, rpcReplySchema } from '@skein/contracts';
import { readSocketsFolder } from './read-server';

/** Asks the read servers of one DATA_DIR, whichever of them lives. */
export class ReadSockets {
  readonly #folder: string;
  readonly #subjects: ReadonlySet<string>;

  constructor(dataDir: string, subjects: readonly string[]) {
    this.#folder = readSocketsFolder(dataDir);
    this.#subjects = new Set(subjects);
  }

  serves(subject: string): boolean {
    return this.#subjects.has(subject);
  }

  /** Rejects with `reads.away` when none answers. */
  async ask(subject: string, body: unknown, timeoutMs: number): Promise<RpcReply> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      // That of a process that was killed refuses the connection.
      const text = await post(path.join(this.#folder, name), subject, body, timeoutMs).catch(() => undefined);
      if (text !== undefined) return rpcReplySchema.parse(JSON.parse(text));
    }
    throw new AdkError('unavailable', 'reads.away', 'Neither NATS nor session-svc can be reached');
  }
}

function post(socketPath: string, subject: string, body: unknown, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request({ socketPath, path: `/${subject}`, method: 'POST', signal }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')));
    });
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}
