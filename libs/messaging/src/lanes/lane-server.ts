import { createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { laneRights, type LaneRights, type LaneService } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { listenIn, leaveSocket } from '../sockets/socket-folder';
import { atEndOfPass } from '../connection/end-of-pass';
import { type Lane } from './lane';
import { type LaneEnds, type Lanes } from './lanes';

/** Where the processes of one DATA_DIR find the sockets for a service. */
export function lanesFolder(dataDir: string, service: LaneService): string {
  return path.join(dataDir, 'lanes', service);
}

/**
 * Opens lanes to whoever connects to a socket of the file system under DATA_DIR, one for each service: who may open the folder may
 * do what that service may (`laneRights`), and no port is opened.
 */
export class LaneServer {
  readonly #servers = new Map<string, Server>();
  readonly #lanes = new Set<Lane>();

  constructor(
    private readonly lanes: Lanes,
    private readonly logger: Logger,
    /** When answers leave. By default behind what goes to NATS in that pass. */
    private readonly whenAnswered: LaneEnds['whenAnswered'] = (leave) => atEndOfPass(leave, 'behind'),
  ) {}

  /**
   * Listens for these services. A folder that holds no socket, or a path too long for one, costs the lanes and no more: requests go
   * over NATS.
   */
  async listen(dataDir: string, services: readonly LaneService[]): Promise<void> {
    for (const service of services) {
      const folder = lanesFolder(dataDir, service);
      const server = createServer((socket) => this.#open(socket, laneRights[service]));
      const tell = (error: unknown): void =>
        this.logger.warn({ folder, err: error }, 'a lane cannot be opened');
      try {
        this.#servers.set(await listenIn(folder, server, tell), server);
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

  #open(socket: Socket, { asks, answers }: LaneRights): void {
    const { whenAnswered } = this;
    const lane = this.lanes.open(socket, { here: asks, there: answers, whenAnswered });
    this.#lanes.add(lane);
    socket.once('close', () => this.#lanes.delete(lane));
  }
}
