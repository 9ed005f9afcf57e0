/** What was stored, measured on the way. */
export interface StoredObject {
  readonly sizeBytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Where bytes lie under keys we choose: opaque ones, never a name that came from outside. */
export abstract class ObjectStore {
  /** Stores bytes under a new key. They are durable, and there as a whole, once it settles. */
  abstract put(key: string, bytes: Uint8Array): Promise<StoredObject>;

  /** The bytes of a key, or nothing. */
  abstract get(key: string): Promise<Uint8Array | undefined>;

  /** Harmless when it is not there. */
  abstract delete(key: string): Promise<void>;
}
