import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AdkError, type RpcReply, rpcReplySchema } from '@skein/contracts';
import { readSocketsFolder } from './read-server';

/** How long one is waited for before the next is asked beside it: it may have been stopped. */
const SILENCE_MS = 500;

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

  /** Rejects with `reads.away` when none answers in time. One that keeps silent does not hold up the next. */
  async ask(subject: string, body: unknown, timeoutMs: number): Promise<RpcReply> {
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(timeoutMs)]);
    const asked: Promise<string>[] = [];
    try {
      for (const name of await readdir(this.#folder).catch(() => [])) {
        asked.push(post(path.join(this.#folder, name), { subject, body, signal }));
        const silence = pause(SILENCE_MS, undefined, { signal });
        const text = await Promise.race([Promise.any(asked), silence]).catch(() => undefined);
        if (text !== undefined) return rpcReplySchema.parse(JSON.parse(text));
      }
      return rpcReplySchema.parse(JSON.parse(await Promise.any(asked)));
    } catch (error) {
      throw new AdkError('unavailable', 'reads.away', 'Neither NATS nor session-svc can be reached', {
        cause: error,
      });
    } finally {
      answered.abort();
    }
  }
}

interface Question {
  readonly subject: string;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** That of a process that was killed refuses the connection. */
function post(socketPath: string, { subject, body, signal }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
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
