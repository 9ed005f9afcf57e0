import { type Socket } from 'node:net';
import { Lane, type LaneParts, type LaneRequest } from './lane';

type Answer = (request: LaneRequest) => void;

/** The lanes of a process, and what it answers on them. */
export class Lanes {
  readonly #open = new Set<Lane>();
  readonly #answers = new Map<string, Answer>();
  /** By subject, who answers it; made anew where that changes. */
  readonly #able = new Map<string, readonly Lane[]>();
  #turn = 0;

  /** How many there are. */
  get count(): number {
    return this.#open.size;
  }

  /** One over which this subject may be asked, in turns where there are several. */
  laneTo(subject: string): Lane | undefined {
    if (this.#open.size === 0) return undefined;
    let able = this.#able.get(subject);
    if (!able) this.#able.set(subject, (able = [...this.#open].filter((lane) => lane.serves(subject))));
    const lane = able[this.#turn++ % able.length];
    return lane?.serves(subject) === true ? lane : undefined;
  }

  /** Answers a subject, on each lane whose maker offers it; what it gives back ends that. */
  serve(subject: string, answer: Answer): () => void {
    this.#answers.set(subject, answer);
    return () => {
      this.#answers.delete(subject);
    };
  }

  /** Makes a lane of a socket, on which these of the served subjects are answered; `whenAnswered` as of `LaneParts`. */
  open(socket: Socket, offers: (subject: string) => boolean, whenAnswered: LaneParts['whenAnswered']): Lane {
    const lane = new Lane(socket, {
      answerOf: (subject) => (offers(subject) ? this.#answers.get(subject) : undefined),
      onChange: () => this.#able.clear(),
      whenAnswered,
    });
    this.#open.add(lane);
    socket.once('close', () => this.#open.delete(lane));
    lane.tellServed([...this.#answers.keys()].filter(offers));
    return lane;
  }
}
