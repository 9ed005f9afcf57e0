import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/** Looks at bytes on their way; `cut` resets the connection instead of passing them on. */
export type Tap = (chunk: Buffer, from: 'client' | 'server') => 'pass' | 'cut';

/**
 * A TCP proxy that a test puts between two parts to take their network away: with a reset, with an orderly end, or
 * without a word, which is what a partition and a half-open connection look like from both ends.
 */
export class TcpProxy {
  readonly #links = new Set<Link>();
  #isHeld = false;
  #isRefusing = false;
  #delayMs = 0;
  #tap: Tap | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: ProxyTarget,
  ) {}

  /** Listens on a free port of 127.0.0.1. */
  static async start(target: ProxyTarget): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    const proxy = new TcpProxy(server, target);
    server.on('connection', (socket) => proxy.#accept(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** A proxy before the server that a URL names. */
  static before(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    return TcpProxy.start({ host: hostname, port: Number(port) });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port; // A TCP server that listens has this form.
  }

  /** The same URL, through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.port);
    return changed.href.replace(/\/$/, '');
  }

  get connections(): number {
    return this.#links.size;
  }

  /** Ends what is connected; who connects anew gets through. */
  cut(how: 'rst' | 'fin' = 'rst'): void {
    for (const link of this.#links) link.cut(how);
  }

  /**
   * From now on nothing passes in either direction, and nobody is told. New connections are taken and left silent; with
   * `existing` they get through, as when only a connection's way was lost.
   */
  hold(which: 'all' | 'existing' = 'all'): void {
    this.#isHeld = which === 'all';
    for (const link of this.#links) link.hold();
  }

  /** Resets what is connected, and whoever connects until `resume`. */
  refuse(): void {
    this.#isRefusing = true;
    this.cut();
  }

  /** Every chunk arrives so much later, in its order. */
  delay(delayMs: number): void {
    this.#delayMs = delayMs;
    for (const link of this.#links) link.delayMs = delayMs;
  }

  tap(tap: Tap | undefined): void {
    this.#tap = tap;
  }

  /** The network is back; what was held arrives now, as TCP would send it again. */
  resume(): void {
    this.#isHeld = false;
    this.#isRefusing = false;
    this.delay(0);
    for (const link of this.#links) link.resume();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.#isRefusing = true;
    this.cut();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#isRefusing) {
      client.resetAndDestroy();
      return;
    }
    const link = new Link(client, connect({ ...this.target, allowHalfOpen: true }), (chunk, from) =>
      this.#tap ? this.#tap(chunk, from) : 'pass',
    );
    link.delayMs = this.#delayMs;
    this.#links.add(link);
    link.onGone(() => this.#links.delete(link));
    if (this.#isHeld) link.hold();
    else link.resume();
  }
}

/** Two sockets that are one connection. */
class Link {
  delayMs = 0;
  #isHeld = false;
  readonly #pipes: readonly Pipe[];

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    tap: Tap,
  ) {
    const passes = (chunk: Buffer, from: 'client' | 'server'): boolean => {
      const isPassed = tap(chunk, from) === 'pass';
      if (!isPassed) this.cut('rst');
      return isPassed;
    };
    this.#pipes = [
      new Pipe(
        client,
        server,
        () => this.delayMs,
        (chunk) => passes(chunk, 'client'),
      ),
      new Pipe(
        server,
        client,
        () => this.delayMs,
        (chunk) => passes(chunk, 'server'),
      ),
    ];
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined); // 'close' follows.
      socket.on('close', (hadError) => this.#closed(hadError));
    }
  }

  onGone(callback: () => void): void {
    for (const socket of [this.client, this.server]) {
      socket.on('close', () => {
        if (this.client.destroyed && this.server.destroyed) callback();
      });
    }
  }

  hold(): void {
    this.#isHeld = true;
    for (const pipe of this.#pipes) pipe.hold();
  }

  resume(): void {
    this.#isHeld = false;
    if (this.client.destroyed || this.server.destroyed) this.cut('rst');
    for (const pipe of this.#pipes) pipe.resume();
  }

  cut(how: 'rst' | 'fin'): void {
    for (const socket of [this.client, this.server]) {
      if (how === 'fin') socket.end();
      else if (!socket.destroyed) socket.resetAndDestroy();
    }
  }

  /** While nothing passes, the other end does not hear that this one is gone. */
  #closed(hadError: boolean): void {
    if (!this.#isHeld && hadError) this.cut('rst');
  }
}

/** One direction of a link, in order. */
class Pipe {
  #isHeld = true;
  readonly #queue: { readonly dueMs: number; readonly chunk: Buffer | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly delayMs: () => number,
    private readonly passes: (chunk: Buffer) => boolean,
  ) {
    from.pause();
    from.on('data', (chunk: Buffer) => this.#push(chunk));
    from.on('end', () => this.#push(undefined));
    from.on('close', () => clearTimeout(this.#timer));
  }

  hold(): void {
    this.#isHeld = true;
    this.from.pause();
  }

  resume(): void {
    this.#isHeld = false;
    this.from.resume();
    this.#pump();
  }

  #push(chunk: Buffer | undefined): void {
    this.#queue.push({ dueMs: performance.now() + this.delayMs(), chunk });
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#timer);
    for (let next = this.#queue[0]; next && !this.#isHeld; next = this.#queue[0]) {
      const waitMs = next.dueMs - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#pump(), waitMs);
        return;
      }
      this.#queue.shift();
      if (next.chunk === undefined) this.to.end();
      else if (this.passes(next.chunk)) this.to.write(next.chunk);
      else return;
    }
  }
}
