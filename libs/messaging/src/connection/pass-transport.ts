import { type Socket } from 'node:net';
import {
  type NatsConnection,
  NatsConnectionImpl,
  type NodeConnectionOptions,
  setTransportFactory,
} from '@nats-io/transport-node';
import { nodeResolveHost, NodeTransport } from '@nats-io/transport-node/lib/node_transport';
import { atEndOfPass } from './end-of-pass';

/**
 * The client's own transport, which writes once in a pass of the event loop. The client hands it a frame at the end of each
 * chain of microtasks, and a busy process has dozens of those in a pass: each would be a write of its own, that wakes the server,
 * which then delivers, and is read, message by message.
 */
class PassTransport extends NodeTransport {
  #corked: Socket | undefined;

  /** As the client's, it is silent about failures: a write that does not arrive ends the connection, which is seen there. */
  override send(frame: Uint8Array): void {
    // Its type says that there always is a socket.
    const socket = this.socket as Socket | undefined;
    if (this.isClosed || !socket) return;
    this.#cork(socket);
    socket.write(frame);
  }

  override close(error?: Error): Promise<void> {
    this.#uncork();
    return super.close(error);
  }

  override disconnect(): void {
    this.#uncork();
    super.disconnect();
  }

  /** Until the callbacks of this pass have run, and whatever they set off at once. */
  #cork(socket: Socket): void {
    if (this.#corked) return;
    this.#corked = socket;
    socket.cork();
    atEndOfPass(() => this.#uncork(), 'first');
  }

  #uncork(): void {
    this.#corked?.uncork();
    this.#corked = undefined;
  }
}

/** As the client's `connect`, with our transport, now and after each reconnect. */
export function connectInPasses(options: NodeConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new PassTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
