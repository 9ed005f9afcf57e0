import { type Socket } from 'node:net';
import { namesSubject } from '@skein/contracts';
import { Lane, type LaneParts, type RpcRequest } from './lane';

type Answer = (request: RpcRequest) => void;

/** How a lane is made of a socket. */
export interface LaneEnds extends Pick<LaneParts, 'whenAnswered'> {
  /** What may be answered here, and what the other end may. */
  readonly here: readonly string[];
  readonly there: readonly string[];
}

/** The lanes of a process, and what it answers on them: nothing while it is suspended, which the other ends are told. */
export class Lanes {
  readonly #open = new Map<Lane, readonly string[]>();
  readonly #answers = new Map<string, Answer>();
  /** By subject, who answers it; made anew where that changes. */
  readonly #able = new Map<string, readonly Lane[]>();
  #isSuspended = false;
  #turn = 0;

  /** How many there are. */
  get count(): number {
    return this.#open.size;
  }

  /** One over which this subject may be asked, in turns where there are several. */
  laneTo(subject: string): Lane | undefined {
    if (this.#open.size === 0) return undefined;
    let able = this.#able.get(subject);
    if (!able)
      this.#able.set(subject, (able = [...this.#open.keys()].filter((lane) => lane.serves(subject))));
    if (able.length === 0) return undefined;
    const lane = able[this.#turn++ % able.length];
    return lane?.hasRoom() === true ? lane : undefined;
  }

  /** Whether somebody is at the end of a lane who answers a subject of this tree, `<tree>.*`. */
  reach(tree: string): boolean {
    return [...this.#open.keys()].some((lane) => lane.servesTree(tree));
  }

  /** Answers a subject, on each lane on which it may be; what it gives back ends that. */
  serve(subject: string, answer: Answer): () => void {
    this.#answers.set(subject, answer);
    return () => {
      this.#answers.delete(subject);
    };
  }

  open(socket: Socket, { here, there, whenAnswered }: LaneEnds): Lane {
    const lane = new Lane(socket, {
      answerOf: (subject) =>
        !this.#isSuspended && namesSubject(here, subject) ? this.#answers.get(subject) : undefined,
      mayServe: (subject) => namesSubject(there, subject),
      onChange: () => this.#able.clear(),
      whenAnswered,
    });
    this.#open.set(lane, here);
    socket.once('close', () => this.#open.delete(lane));
    this.#tell(lane, here);
    return lane;
  }

  /** Whoever is asked here could not go on. What was begun is answered. */
  suspend(): void {
    this.#isSuspended = true;
    for (const [lane, here] of this.#open) this.#tell(lane, here);
  }

  resume(): void {
    this.#isSuspended = false;
    for (const [lane, here] of this.#open) this.#tell(lane, here);
  }

  #tell(lane: Lane, here: readonly string[]): void {
    const served = this.#isSuspended ? [] : [...this.#answers.keys()];
    lane.tellServed(served.filter((subject) => namesSubject(here, subject)));
  }
}
