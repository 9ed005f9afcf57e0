import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { toolCallMessageSchema, type ToolCallMessage } from '@skein/contracts';
import { answerTo, kindOf } from './message-kinds';

/** A message as it went over the wire. */
export interface GoldenMessage {
  readonly kind: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: unknown;
}

/** Hears every message of a deployment, and keeps of each kind the one that says most. */
export class Tap {
  readonly #richest = new Map<string, GoldenMessage>();
  /** The kind of what was asked, by where its answer goes. */
  readonly #asked = new Map<string, string>();
  /** The last call of each tool that was sent. */
  readonly #calls = new Map<string, ToolCallMessage>();

  private constructor(private readonly nats: NatsConnection) {
    nats.subscribe('>', { callback: (_error, message) => this.#hear(message) });
  }

  static async open(natsUrl: string): Promise<Tap> {
    const nats = await connect({ ...parseNatsServers(natsUrl) });
    const tap = new Tap(nats);
    await nats.flush();
    return tap;
  }

  get messages(): readonly GoldenMessage[] {
    return [...this.#richest.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1));
  }

  hasHeard(kind: string): boolean {
    return this.#richest.has(kind);
  }

  lastCallOf(tool: string): ToolCallMessage {
    const call = this.#calls.get(tool);
    if (!call) throw new Error(`${tool} was not called`);
    return call;
  }

  async close(): Promise<void> {
    await this.nats.close();
  }

  #keepCall(message: ToolCallMessage): void {
    this.#calls.set(message.call.tool, message);
  }

  #hear(message: Msg): void {
    const { subject, reply } = message;
    if (subject.startsWith('$')) return;
    const asked = this.#asked.get(subject);
    // Acks of streams are the server's.
    if (asked === undefined && /^_(INBOX|R_)/.test(subject)) return;
    const body = bodyOf(message);
    if (body === undefined) return;
    const kind = asked === undefined ? kindOf(subject, body) : answerKind(asked, body);
    if (kind === undefined) throw new Error(`a message of no known kind: ${subject} ${JSON.stringify(body)}`);
    if (kind === 'tool') this.#keepCall(toolCallMessageSchema.parse(body));
    if (asked === undefined && reply) this.#asked.set(reply, kind);
    const headers = Object.fromEntries(
      [...(message.headers?.keys() ?? [])].map((key) => [key, message.headers?.values(key) ?? []]),
    );
    const known = this.#richest.get(kind);
    if (known && richness(known.body) >= richness(body)) return;
    this.#richest.set(kind, { kind, subject, headers, body });
  }
}

function answerKind(asked: string, body: unknown): string {
  return (body as { ok: boolean }).ok ? answerTo(asked) : 'rpc.error';
}

/** Nothing for what is no JSON, and for a body that lies elsewhere. */
function bodyOf(message: Msg): unknown {
  if (message.data.length === 0) return undefined;
  return JSON.parse(message.string());
}

/** How many different places of a value hold something. */
function richness(value: unknown): number {
  const places = new Set<string>();
  const walk = (at: string, one: unknown): void => {
    if (typeof one !== 'object' || one === null) {
      if (one !== null) places.add(at);
      return;
    }
    for (const [key, child] of Object.entries(one)) walk(`${at}.${Array.isArray(one) ? '' : key}`, child);
  };
  walk('', value);
  return places.size;
}
