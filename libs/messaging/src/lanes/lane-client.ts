import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { laneRights, type LaneService } from '@skein/contracts';
import { type Lane } from './lane';
import { type Lanes } from './lanes';
import { lanesFolder } from './lane-server';

/** How soon a process that was started since is found. */
const LOOK_MS = 1_000;
/** How long an answer waits for a request that takes it along. */
const RIDE_MS = 2;

/** Keeps a lane open to each process that has a socket for this service under DATA_DIR. */
export class LaneClient {
  readonly #folder: string;
  readonly #lanes = new Map<string, Lane>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly lanes: Lanes,
    dataDir: string,
    private readonly service: LaneService,
  ) {
    this.#folder = lanesFolder(dataDir, service);
  }

  start(): void {
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const lane of this.#lanes.values()) lane.close();
  }

  /** Without a folder there is nobody on this machine. */
  async #look(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (name.endsWith('.sock') && !this.#lanes.has(name) && !this.#isClosed) this.#connect(name);
    }
  }

  /** One that refuses, for its process was killed, ends at once and is tried again with the next look. */
  #connect(name: string): void {
    const { asks, answers } = laneRights[this.service];
    const socket = connect(path.join(this.#folder, name));
    const lane = this.lanes.open(socket, { here: answers, there: asks, whenAnswered: answersRide });
    this.#lanes.set(name, lane);
    socket.once('close', () => this.#lanes.delete(name));
  }
}

/** What a runner is handed is followed by its first unit: its yes goes with that, and wakes nobody by itself. */
function answersRide(leave: () => void): void {
  setTimeout(leave, RIDE_MS);
}
