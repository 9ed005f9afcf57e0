import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { type Logger } from '@skein/platform';
import { listenIn, leaveSocket } from '../sockets/socket-folder';
import { atEndOfPass } from '../connection/end-of-pass';
import { type Lane } from './lane';
import { type Lanes } from './lanes';

/** Who lanes are for, and what may be asked on each: what NATS lets the same service ask. */
export interface LaneOffer {
  readonly service: string;
  readonly subjects: readonly string[];
}

/** Where the processes of one DATA_DIR find the sockets for a service. */
export function lanesFolder(dataDir: string, service: string): string {
  return path.join(dataDir, 'lanes', service);
}

/**
 * Opens lanes to whoever connects to a socket of the file system under DATA_DIR, one for each service: who may open the folder may
 * ask what that service may, and no port is opened.
 */
export class LaneServer {
  readonly #servers = new Map<string, Server>();
  readonly #lanes = new Set<Lane>();

  constructor(
    private readonly lanes: Lanes,
    private readonly logger: Logger,
  ) {}

  /** A folder that holds no socket, or a path too long for one, costs the lanes and no more: requests go over NATS. */
  async listen(dataDir: string, offers: readonly LaneOffer[]): Promise<void> {
    for (const { service, subjects } of offers) {
      const folder = lanesFolder(dataDir, service);
      const offered = new Set(subjects);
      const server = createServer((socket) => this.#open(socket, (subject) => offered.has(subject)));
      try {
        this.#servers.set(await listenIn(folder, server), server);
      } catch (error) {
        this.logger.warn({ folder, err: error }, 'requests go over NATS alone');
      }
    }
  }

  /** Takes no more connections. What is asked on those there are is answered that nobody does, once nothing is served any more. */
  async stopListening(): Promise<void> {
    await Promise.all([...this.#servers].map(([socket, server]) => leaveSocket(socket, server)));
    this.#servers.clear();
  }

  /** After the last answer was given. */
  close(): void {
    for (const lane of this.#lanes) lane.close();
  }

  #open(socket: Socket, offers: (subject: string) => boolean): void {
    const lane = this.lanes.open(socket, offers, (leave) => atEndOfPass(leave, 'behind'));
    this.#lanes.add(lane);
    socket.once('close', () => this.#lanes.delete(lane));
  }
}
