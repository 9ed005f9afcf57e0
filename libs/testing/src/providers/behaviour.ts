import { type ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { type Frames, type ProviderDialect, type RefusalKind, type Said } from './provider-dialect';

/** What a server does with one request that is in order. */
export type Behaviour =
  | {
      readonly says: Said;
      /** So many bytes at a time, which cuts frames and characters; all at once when left out. */
      readonly bytesPerWrite?: number;
      readonly breaks?: Break;
    }
  | {
      readonly refuses: RefusalKind;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** No answer at all. */
  | { readonly hangs: true }
  /** Something no dialect says: the test writes it. */
  | { readonly replies: (response: ServerResponse, isStreamed: boolean) => void };

/**
 * Where an answer breaks off, and how. `begun`: some of it was shown; `unfinished`: all of it was, but not that it is
 * whole; `reasoned`: why it ends as well, and nothing behind that; `finished`: all of it. An answer that is not streamed breaks in its middle. `ends`: the answer ends as if that had been all.
 */
export interface Break {
  readonly at: 'begun' | 'unfinished' | 'reasoned' | 'finished';
  readonly how: 'cut' | 'hang' | 'ends' | 'garbage';
}

interface Scene {
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
  readonly server: { readonly dialect: ProviderDialect; readonly model: string };
}

export async function play(behaviour: Behaviour, { response, isStreamed, server }: Scene): Promise<void> {
  if ('hangs' in behaviour) return;
  if ('replies' in behaviour) {
    behaviour.replies(response, isStreamed);
    return;
  }
  const { dialect, model } = server;
  if ('refuses' in behaviour) {
    const { refuses: kind, message, headers } = behaviour;
    const { status, body } = dialect.refuse({ kind, ...(message === undefined ? {} : { message }) });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return;
  }
  const { says, bytesPerWrite, breaks } = behaviour;
  const text = isStreamed
    ? streamed(dialect.frames(says, model), breaks, dialect.garbage)
    : whole(dialect.whole(says, model), breaks);
  response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
  await write(response, text, bytesPerWrite);
  finish(response, breaks);
}

function streamed(frames: Frames, breaks: Break | undefined, garbage: string): string {
  const { opening, body, closing, reason } = frames;
  const told = breaks?.at === 'begun' ? body.slice(0, Math.ceil(body.length / 2)) : body;
  const ends = { begun: [], unfinished: [], reasoned: [reason], finished: closing };
  const end = ends[breaks?.at ?? 'finished'];
  return [...opening, ...told, ...end, ...(breaks?.how === 'garbage' ? [garbage, ...closing] : [])].join('');
}

function whole(text: string, breaks: Break | undefined): string {
  if (!breaks) return text;
  return text.slice(0, Math.floor(text.length / 2)) + (breaks.how === 'garbage' ? '<html>' : '');
}

async function write(response: ServerResponse, text: string, bytesPerWrite?: number): Promise<void> {
  const bytes = Buffer.from(text);
  const size = bytesPerWrite ?? bytes.length;
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    // A turn of the loop between two writes, so that they leave as packets of their own.
    if (bytesPerWrite !== undefined) await turn();
  }
}

function finish(response: ServerResponse, breaks: Break | undefined): void {
  if (breaks?.how === 'hang') return;
  if (breaks?.how === 'cut') response.socket?.destroySoon();
  else response.end();
}
