import { type MessagingConnection } from '../connection/messaging-connection';
import { type EncodedMessage, PAYLOAD_HEADER } from '../payload/message-codec';

/**
 * A body that may be sent more than once, or in more than one way: encoded once, for each time one by reference is encoded it
 * is another file, which is kept for days.
 */
export class WorkBody {
  #encoded: EncodedMessage | undefined;

  constructor(
    private readonly connection: MessagingConnection,
    readonly content: unknown,
  ) {}

  /** Encodes it now where it goes in its message: what is sent in a hurry need not be made then. */
  makeReady(): this {
    const data = this.connection.codec.encodeInline(this.content);
    if (data) this.#encoded = { data, headers: {} };
    return this;
  }

  /** As `encoded`, where there is nothing to wait for. */
  get ready(): EncodedMessage | undefined {
    return this.connection.isConnected() ? this.#encoded : undefined;
  }

  /** As it goes over the wire, once NATS is there: nothing is put into the payload store that nothing may ever name. */
  async encoded(patienceMs: number): Promise<EncodedMessage> {
    await this.connection.whenConnected(patienceMs);
    this.#encoded ??= await this.connection.codec.encode(this.content);
    return this.#encoded;
  }

  /** Whether it goes in its message, not by reference. */
  async isInline(patienceMs: number): Promise<boolean> {
    const { headers } = await this.encoded(patienceMs);
    return headers[PAYLOAD_HEADER] === undefined;
  }
}

export function toWorkBody(connection: MessagingConnection, body: unknown): WorkBody {
  return body instanceof WorkBody ? body : new WorkBody(connection, body);
}
