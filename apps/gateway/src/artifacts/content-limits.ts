import { AdkError } from '@skein/contracts';

/** Each holds a part of its content in memory, 5 MiB at most. */
const UPLOADS_AT_ONCE = 12;
/** So that nobody takes the places of all others. */
const UPLOADS_OF_A_USER = 4;

/** What content may ask of a gateway. */
export class ContentLimits {
  readonly #uploaders: string[] = [];

  constructor(
    /** Of one version. */
    readonly limitBytes: number,
    /** How long a client may send nothing of an upload, or take nothing of a download. */
    readonly idleMs: number,
  ) {}

  /** Does the work of a user's upload, or says that too many are under way. */
  async uploading<T>(user: string, work: () => Promise<T>): Promise<T> {
    const own = this.#uploaders.filter((uploader) => uploader === user).length;
    if (this.#uploaders.length >= UPLOADS_AT_ONCE || own >= UPLOADS_OF_A_USER) {
      throw new AdkError('unavailable', 'artifact.busy', 'Too many uploads are under way: try again.');
    }
    this.#uploaders.push(user);
    try {
      return await work();
    } finally {
      this.#uploaders.splice(this.#uploaders.indexOf(user), 1);
    }
  }
}
