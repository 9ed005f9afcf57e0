import { AdkError } from '@skein/contracts';

/** Each holds a part of its content in memory, 8 MiB at most. */
const UPLOADS_AT_ONCE = 12;

/** What content may ask of a gateway. */
export class ContentLimits {
  #uploads = 0;

  constructor(
    /** Of one version. */
    readonly limitBytes: number,
    /** How long a client may send nothing of an upload, or take nothing of a download. */
    readonly idleMs: number,
  ) {}

  /** Does the work of an upload, or says that too many are under way. */
  async uploading<T>(work: () => Promise<T>): Promise<T> {
    if (this.#uploads >= UPLOADS_AT_ONCE) {
      throw new AdkError('unavailable', 'artifact.busy', 'Too many uploads are under way: try again.');
    }
    this.#uploads += 1;
    try {
      return await work();
    } finally {
      this.#uploads -= 1;
    }
  }
}
