import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { createParser } from 'eventsource-parser';
import { Random } from './random';

export interface DisconnectOptions {
  /** Gateways; each connection goes to any of them. Asked anew each time, so that one may die and come back. */
  readonly urls: () => readonly string[];
  /** How many connections are cut in all. */
  readonly count: number;
  readonly seed: number;
  /** Clients at the same time. */
  readonly clients?: number;
  readonly deadlineMs?: number;
}

export interface DisconnectFigures {
  readonly seed: number;
  readonly disconnects: number;
  readonly turns: number;
  /** Stored events that belong to what clients followed. */
  readonly events: number;
  /** Stored, and not shown to its client. */
  readonly missing: number;
  /** Shown to a client that had shown before that it has it. */
  readonly repeated: number;
  /** Shown and not stored, or before one with a lower id. */
  readonly wrong: number;
  readonly resumedByGet: number;
  readonly resumedByPost: number;
  /** The first turns of which something is missing, repeated or wrong. */
  readonly broken: readonly string[];
}

/** Of many events, of many chunks, of pauses. */
const MESSAGES = ['count 4', 'talk 12 10', 'count', 'both 40', 'wait 60'];
const MAX_CUTS_A_TURN = 10;

/**
 * Clients of the `errands` agent whose connections are cut at random bytes and moments, and taken up again by either
 * way until each run is read to its end. What they saw is compared with what is stored.
 */
export async function runDisconnects(options: DisconnectOptions): Promise<DisconnectFigures> {
  const { seed, count, clients = 16, deadlineMs = 120_000 } = options;
  const deadline = performance.now() + deadlineMs;
  // The same seed may be played twice on one stack.
  const name = `cut-${randomUUID()}`;
  const turns: BrokenTurn[] = [];
  let left = count;
  const takeCuts = (wanted: number): number => {
    const taken = Math.min(left, wanted);
    left -= taken;
    return taken;
  };
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const random = new Random(seed + client);
      for (let n = 0; left > 0; n++) {
        const cuts = takeCuts(random.integer(1, MAX_CUTS_A_TURN));
        const turn = new BrokenTurn(options.urls, random, `${name}-${client}`, `${name}-${client}-${n}`);
        turns.push(turn);
        await turn.readToEnd(cuts, deadline);
        left += cuts - turn.cuts; // It came to its end before.
      }
    }),
  );
  return figuresOf(seed, turns);
}

async function figuresOf(seed: number, turns: readonly BrokenTurn[]): Promise<DisconnectFigures> {
  const sum = (of: (turn: BrokenTurn) => number): number => turns.reduce((all, turn) => all + of(turn), 0);
  for (const turn of turns) await turn.compare();
  return {
    seed,
    disconnects: sum(({ cuts }) => cuts),
    turns: turns.length,
    events: sum(({ stored }) => stored.length),
    missing: sum(({ stored, seen }) => stored.filter((id) => !seen.includes(id)).length),
    repeated: sum(({ seen }) => seen.length - new Set(seen).size),
    wrong: sum((turn) => turn.wrong),
    resumedByGet: sum(({ resumes }) => resumes.get),
    resumedByPost: sum(({ resumes }) => resumes.post),
    broken: turns
      .filter((turn) => turn.wrong > 0 || turn.seen.join() !== turn.stored.join())
      .slice(0, 3)
      .map((turn) => turn.describe()),
  };
}

interface LogPage {
  readonly lastSeq: number;
  readonly events: readonly { readonly seq: number; readonly event: Event }[];
}

/** One message, and the connections it took to read the answer. */
class BrokenTurn {
  /** `seq` and id of each event, as it was shown. */
  readonly seen: string[] = [];
  stored: string[] = [];
  wrong = 0;
  cuts = 0;
  readonly resumes = { get: 0, post: 0 };
  readonly #message: string;
  #lastSeen = 0;
  /** What was asked, and how it ended. */
  readonly #connections: string[] = [];
  #invocationId: string | undefined;

  constructor(
    private readonly urls: () => readonly string[],
    private readonly random: Random,
    private readonly sessionId: string,
    private readonly key: string,
  ) {
    this.#message = random.pick(MESSAGES);
  }

  async readToEnd(cuts: number, deadline: number): Promise<void> {
    while (!(await this.#read(this.cuts < cuts))) {
      if (performance.now() > deadline) throw new Error(`a turn was not read to its end: ${this.describe()}`);
      await pause(this.random.integer(0, 20));
    }
  }

  /** What of the session's log belongs to this turn, against what was shown of it. */
  async compare(): Promise<void> {
    const log = await this.#log();
    this.stored = log
      .filter(({ event }) => event.invocationId === this.#invocationId && event.author !== 'user')
      .map(({ seq, event }) => `${seq} ${event.id}`);
    this.wrong += this.seen.filter((id) => !this.stored.includes(id)).length;
  }

  /** One connection; whether it was read to the end of the run. */
  async #read(mayCut: boolean): Promise<boolean> {
    const connection = new AbortController();
    // A third of them at some moment, be it before anything was answered; the others at some byte.
    const cutAt = mayCut ? this.random.integer(0, 2_500) : Infinity;
    const isByTime = mayCut && this.random.next() < 1 / 3;
    const timer = isByTime ? setTimeout(() => connection.abort(), this.random.integer(0, 60)) : undefined;
    try {
      const response = await this.#ask(connection.signal);
      this.#connections.push(`${response.url} ${response.status} after ${this.#lastSeen}`);
      if (response.status >= 500) return false;
      if (!response.ok || !response.body) throw new TurnError(`${response.status}: ${await response.text()}`);
      this.#invocationId = response.headers.get('x-invocation-id') ?? undefined;
      return await this.#readFrames(response.body, isByTime ? Infinity : cutAt, connection);
    } catch (error) {
      if (error instanceof TurnError) throw error;
      this.#connections.push(String(error));
      if (connection.signal.aborted) this.cuts += 1;
      return false; // The connection broke: by us, or because its gateway died.
    } finally {
      clearTimeout(timer);
    }
  }

  async #readFrames(
    body: AsyncIterable<Uint8Array>,
    cutAt: number,
    connection: AbortController,
  ): Promise<boolean> {
    let bytes = 0;
    let mustComeBack = false;
    const parser = createParser({
      onEvent: ({ id, data }) => this.#take(id, data),
      onRetry: () => (mustComeBack = true),
    });
    const decoder = new TextDecoder();
    for await (const piece of body) {
      const kept = piece.subarray(0, Math.max(0, cutAt - bytes));
      parser.feed(decoder.decode(kept, { stream: true }));
      bytes += piece.length;
      if (bytes < cutAt) continue;
      this.cuts += 1;
      connection.abort();
      return false;
    }
    this.#connections.push(mustComeBack ? 'interrupted' : 'ended');
    return !mustComeBack;
  }

  #take(id: string | undefined, data: string): void {
    const frame = JSON.parse(data) as Partial<Event> & { readonly error?: string };
    if (frame.error !== undefined) throw new TurnError(frame.error);
    if (id === undefined) return;
    if (Number(id) <= this.#lastSeen) this.wrong += 1;
    this.#lastSeen = Number(id);
    this.seen.push(`${id} ${frame.id ?? ''}`);
  }

  #ask(signal: AbortSignal): Promise<Response> {
    const url = this.random.pick(this.urls());
    if (this.#invocationId !== undefined && this.random.next() < 0.5) return this.#askAgain(url, signal);
    if (this.#lastSeen > 0) this.resumes.post += 1;
    return fetch(`${url}/run_sse?resume=1`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': this.key,
        ...(this.#lastSeen > 0 && { 'last-event-id': String(this.#lastSeen) }),
      },
      body: JSON.stringify({
        appName: 'errands',
        userId: 'ada',
        sessionId: this.sessionId,
        newMessage: { role: 'user', parts: [{ text: this.#message }] },
        streaming: true,
        autoCreateSession: true,
      }),
      signal,
    });
  }

  #askAgain(url: string, signal: AbortSignal): Promise<Response> {
    this.resumes.get += 1;
    const events = `${url}${this.#path}/invocations/${this.#invocationId ?? ''}/events?streaming=1&resume=1`;
    if (this.#lastSeen === 0) return fetch(events, { signal });
    return this.random.next() < 0.5
      ? fetch(`${events}&after=${this.#lastSeen}`, { signal })
      : fetch(events, { headers: { 'last-event-id': String(this.#lastSeen) }, signal });
  }

  get #path(): string {
    return `/apps/errands/users/ada/sessions/${encodeURIComponent(this.sessionId)}`;
  }

  async #log(): Promise<{ readonly seq: number; readonly event: Event }[]> {
    const events: { readonly seq: number; readonly event: Event }[] = [];
    for (;;) {
      const after = events.at(-1)?.seq ?? 0;
      const page = await this.#page(after);
      if (!page) continue;
      events.push(...page.events);
      if ((events.at(-1)?.seq ?? 0) >= page.lastSeq) return events;
    }
  }

  /** A page of the log; nothing when its gateway was killed, and another has to be asked. */
  async #page(after: number): Promise<LogPage | undefined> {
    try {
      const response = await fetch(`${this.random.pick(this.urls())}${this.#path}/events?after=${after}`);
      if (response.ok) return (await response.json()) as LogPage; // The wire's own shape.
    } catch {
      await pause(100);
    }
    return undefined;
  }

  describe(): string {
    const { sessionId, seen, stored, cuts } = this;
    const [message, invocationId, connections] = [this.#message, this.#invocationId, this.#connections];
    return JSON.stringify({ sessionId, message, invocationId, cuts, seen, stored, connections });
  }
}

/** An answer that no further try would change. */
class TurnError extends Error {}
