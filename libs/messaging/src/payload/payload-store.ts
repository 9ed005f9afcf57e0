/** A body above this is refused on both sides: nothing a turn needs is so large, and it would be held in memory. */
export const MAX_PAYLOAD_BYTES = 128 * 1024 * 1024;

/**
 * Where message bodies lie that are too large for NATS. Every process of a deployment shares one. What the store itself
 * cannot do, such as writing to a full disk, rejects with `unavailable` and `payload.store`.
 */
export abstract class PayloadStore {
  /** Keeps the bytes for at least a day; answers the key. They are durable once it settles. */
  abstract put(bytes: Uint8Array): Promise<string>;

  /** The bytes of a key; refuses more than `maxBytes` before reading them. Rejects with `payload.missing`. */
  abstract get(key: string, maxBytes: number): Promise<Uint8Array>;

  /** Removes what nobody can ask for any more. Several processes may do so at once; none has to. */
  abstract collectOld(): Promise<void>;
}
