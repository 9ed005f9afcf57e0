import { setTimeout as pause } from 'node:timers/promises';
import { ChatError, PassingError } from './chat-error';
import { readFrames } from './read-frames';
import { isFailure, isReset, type WireFrame } from './wire-event';

/** How long a turn waits for its gateway to be back, and how long between two tries. */
export interface Patience {
  readonly forMs: number;
  readonly pauseMs: number;
}

export interface TurnConnections {
  /** Sends the turn, the same each time, and opens its stream behind the event of this id. */
  open(lastSeen: string | undefined): Promise<Response>;
  /** Told once, when nobody answers a turn that is taken up again. */
  onWaiting(sentence: string): void;
  readonly signal: AbortSignal;
  readonly patience: Patience;
}

/**
 * The frames of one turn over as many connections as it takes, each event once: the client's half of
 * docs/how-to/streams-and-reconnecting.md. Fails with what went wrong last when its patience is over.
 */
export async function* followTurn(connections: TurnConnections): AsyncGenerator<WireFrame> {
  const { signal, patience } = connections;
  const turn = new FollowedTurn(connections);
  for (;;) {
    const lost = yield* turn.read();
    if (lost === undefined) return;
    signal.throwIfAborted();
    const waitMs = lost.retryAfterMs ?? patience.pauseMs;
    if (turn.awayForMs() + waitMs > patience.forMs) throw lost;
    await pause(waitMs, undefined, { signal });
    yield* turn.voidPieces();
  }
}

class FollowedTurn {
  #lastSeen: string | undefined;
  #awaySince: number | undefined;
  /** An event may go in two frames, and only the last one has the id: without that, both come again. */
  #held: WireFrame[] = [];
  /** Events of which nothing but pieces was shown. */
  readonly #inPieces = new Set<string>();
  #isWaitingTold = false;

  constructor(private readonly connections: TurnConnections) {}

  /** Reads one connection to its end; returns why there has to be another one, if there has. */
  async *read(): AsyncGenerator<WireFrame, PassingError | undefined> {
    this.#held = [];
    const body = await this.#connect();
    if (body instanceof PassingError) return body;
    let mustComeBack = false;
    try {
      for await (const received of readFrames(body)) {
        if (received === 'come back') mustComeBack = true;
        else yield* this.#take(received.frame, received.id);
      }
    } catch (error) {
      if (error instanceof PassingError) return error;
      throw error;
    }
    if (mustComeBack) return new PassingError('The server ended before the answer did');
    yield* this.#held;
    return undefined;
  }

  /** How long nobody has taken a connection. */
  awayForMs(): number {
    return this.#awaySince === undefined ? 0 : performance.now() - this.#awaySince;
  }

  /** Of what streams, some was missed by now, or another runner has begun it anew. */
  *voidPieces(): Generator<WireFrame> {
    for (const reset of this.#inPieces) yield { reset };
    this.#inPieces.clear();
  }

  async #connect(): Promise<AsyncIterable<Uint8Array> | PassingError> {
    try {
      const { body } = await this.connections.open(this.#lastSeen);
      this.#awaySince = undefined;
      if (body === null) throw new ChatError('The server sent no answer');
      return body;
    } catch (error) {
      if (!(error instanceof PassingError)) throw error;
      this.#awaySince ??= performance.now();
      if (!this.#isWaitingTold) this.connections.onWaiting(error.message);
      this.#isWaitingTold = true;
      return error;
    }
  }

  *#take(frame: WireFrame, id: string | undefined): Generator<WireFrame> {
    if (id !== undefined) {
      this.#lastSeen = id;
      if ('id' in frame && typeof frame.id === 'string') this.#inPieces.delete(frame.id);
      yield* this.#held.splice(0);
      yield frame;
    } else if (isFailure(frame) || isReset(frame)) yield frame;
    else if (frame.partial === true) {
      if (frame.id !== undefined) this.#inPieces.add(frame.id);
      yield frame;
    } else this.#held.push(frame);
  }
}
