import { type Socket } from 'node:net';
import { errors } from '@nats-io/transport-node';
import { namesSubject } from '@skein/contracts';
import { atEndOfPass } from '../connection/end-of-pass';
import { type EncodedMessage, type ReceivedMessage } from '../payload/message-codec';
import { encodeFrame, type Frame, FrameReader } from './frames';

/** What came over a lane, read as a message of NATS is. */
export interface LaneMessage extends ReceivedMessage {
  readonly subject: string;
}

/** A request, as it comes over a lane and over NATS, and the way back to who asks. */
export interface RpcRequest extends LaneMessage {
  /** `isAwaited`: whoever asked can do nothing else meanwhile, so it does not wait for others. */
  respond(reply: EncodedMessage, isAwaited?: boolean): void;
}

export interface SentOverLane extends EncodedMessage {
  readonly timeoutMs: number;
}

export interface LaneParts {
  /** What this process does with a request; nothing where it does not answer its subject. */
  readonly answerOf: (subject: string) => ((request: RpcRequest) => void) | undefined;
  /** What the other side may say that it answers; anything else it says is passed over. */
  readonly mayServe: (subject: string) => boolean;
  /** The other side says what it answers, or is gone. */
  readonly onChange: () => void;
  /** Has answers leave, those of that time together; a request takes them along before. */
  readonly whenAnswered: (leave: () => void) => void;
}

interface Waiting {
  readonly subject: string;
  /** How often the other side had been heard when it was asked. */
  readonly heard: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (reply: LaneMessage | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** What lies here unread by the other side says that it is stopped, or far behind: nothing more is asked of it. */
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;
/** And this, that it will not read it any more. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const NO_BYTES = new Uint8Array();

/** One connection between two processes of a machine, on which each asks the other. It is over when its socket is. */
export class Lane {
  readonly #reader = new FrameReader();
  readonly #waiting = new Map<number, Waiting>();
  #served: ReadonlySet<string> = new Set();
  #lastId = 0;
  #unsent: Buffer[] = [];
  /** Whether what is unsent leaves at the end of this pass. */
  #isDue = false;
  #heard = 0;
  #isSilent = false;

  constructor(
    private readonly socket: Socket,
    private readonly parts: LaneParts,
  ) {
    socket.on('data', (bytes) => this.#read(bytes));
    // What it broke of is of no use to anybody; the close behind it is answered.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  /** Whether the other side answers this subject, and has lately answered what it was asked. */
  serves(subject: string): boolean {
    return this.#served.has(subject) && !this.#isSilent;
  }

  /** Whether the other side answers a subject of this tree. */
  servesTree(tree: string): boolean {
    return !this.#isSilent && [...this.#served].some((subject) => namesSubject([tree], subject));
  }

  /** Whether the other side reads what it is sent. */
  hasRoom(): boolean {
    return this.socket.writable && this.socket.writableLength < MAX_UNSENT_BYTES;
  }

  /** Tells the other side which subjects are answered here, from now on. */
  tellServed(subjects: readonly string[]): void {
    this.#send({ kind: 'serves', id: 0, subject: '', headers: {}, data: Buffer.from(subjects.join('\n')) });
  }

  /**
   * The answer; nothing where the other side does not answer this subject any more, so that nobody has the request. Rejects with the
   * NATS client's own errors, as `Requests` does: a `TimeoutError`, or a `ClosedConnectionError` for one that may have arrived.
   */
  request(subject: string, { data, headers, timeoutMs }: SentOverLane): Promise<LaneMessage | undefined> {
    return new Promise((resolve, reject) => {
      if (!this.socket.writable) {
        resolve(undefined);
        return;
      }
      const id = this.#nextId();
      const timer = setTimeout(() => this.#timeOut(id), timeoutMs);
      this.#waiting.set(id, { subject, heard: this.#heard, timer, resolve, reject });
      this.#send({ kind: 'request', id, subject, headers, data });
    });
  }

  /** What was answered still leaves; what was asked is lost. */
  close(): void {
    this.#flush();
    this.socket.destroySoon();
  }

  #nextId(): number {
    this.#lastId = (this.#lastId + 1) >>> 0;
    return this.#lastId;
  }

  #read(bytes: Buffer): void {
    try {
      for (const frame of this.#reader.read(bytes)) this.#take(frame);
      this.#hear();
    } catch {
      // Whoever speaks otherwise is none of ours; its socket's end is answered as any other.
      this.socket.destroy();
    }
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case 'serves':
        this.#serve(Buffer.from(frame.data).toString('utf8').split('\n').filter(this.parts.mayServe));
        return;
      case 'request':
        this.#answer(frame);
        return;
      case 'reply':
        this.#settled(frame.id)?.resolve(messageOf(frame));
        return;
      case 'unserved':
        this.#refuse(this.#settled(frame.id));
    }
  }

  #serve(subjects: Iterable<string>): void {
    this.#served = new Set(subjects);
    this.parts.onChange();
  }

  /** It was told to answer that subject before, and is leaving. */
  #refuse(waiting: Waiting | undefined): void {
    if (!waiting) return;
    this.#serve([...this.#served].filter((subject) => subject !== waiting.subject));
    waiting.resolve(undefined);
  }

  #answer(frame: Frame): void {
    const { id, subject } = frame;
    const answer = this.parts.answerOf(subject);
    if (!answer) {
      this.#send({ kind: 'unserved', id, subject: '', headers: {}, data: NO_BYTES });
      return;
    }
    const respond = ({ data, headers }: EncodedMessage, isAwaited = false): void => {
      const reply = { kind: 'reply', id, subject: '', headers, data } as const;
      if (isAwaited) this.#send(reply);
      else this.#sendBehind(reply);
    };
    answer({ ...messageOf(frame), respond });
  }

  /** At the end of this pass of the event loop, with the answers that wait for it: a busy process asks several times in one. */
  #send(frame: Frame): void {
    if (!this.#isDue) atEndOfPass(() => this.#flush(), 'first');
    this.#isDue = true;
    this.#unsent.push(encodeFrame(frame));
  }

  #sendBehind(frame: Frame): void {
    if (this.#unsent.length === 0) this.parts.whenAnswered(() => this.#flush());
    this.#unsent.push(encodeFrame(frame));
  }

  #flush(): void {
    this.#isDue = false;
    const [only, ...more] = this.#unsent;
    if (!only) return;
    this.#unsent = [];
    const { socket } = this;
    if (socket.writable) socket.write(more.length === 0 ? only : Buffer.concat([only, ...more]));
    // Who asks and does not read the answers would have them kept here without an end.
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
  }

  /** A process that is stopped says nothing at all: until it is heard again, others are asked. */
  #timeOut(id: number): void {
    const waiting = this.#settled(id);
    if (waiting?.heard === this.#heard) {
      this.#isSilent = true;
      this.parts.onChange();
    }
    waiting?.reject(new errors.TimeoutError());
  }

  #hear(): void {
    this.#heard++;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.parts.onChange();
  }

  /** Once: an answer that comes late finds nobody. */
  #settled(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #end(): void {
    this.#serve([]);
    for (const id of [...this.#waiting.keys()]) this.#settled(id)?.reject(new errors.ClosedConnectionError());
  }
}

function messageOf({ subject, headers, data }: Frame): LaneMessage {
  return { subject, data, headers: { get: (name) => headers[name] ?? '' } };
}
