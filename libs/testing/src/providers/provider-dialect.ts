import { type IncomingHttpHeaders } from 'node:http';
import { type JsonObject } from '@skein/contracts';

/** What a model says, in no provider's words; a dialect puts it into its own. */
export interface Said {
  readonly parts: readonly SaidPart[];
  /** Why it stops; `end` when left out. `safety`: the provider took the answer back, parts or not. */
  readonly stop?: 'end' | 'tokens' | 'safety';
  /** Tokens: `input` holds the `cached` ones, as it does in google-genai. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
}

export type SaidPart =
  | { readonly text: string }
  | { readonly thought: string; readonly signature?: string }
  | { readonly call: SaidCall };

/** `argsText` stands for arguments as the model wrote them, which need not be JSON. */
export interface SaidCall {
  readonly id?: string;
  readonly name: string;
  readonly args?: JsonObject;
  readonly argsText?: string;
}

/** What a provider was asked, in no provider's words. */
export interface Heard {
  readonly model: string;
  readonly system?: string;
  /** Neighbours of one role are one turn. */
  readonly turns: readonly HeardTurn[];
  /** Names of the declared functions. */
  readonly tools: readonly string[];
  readonly choice?: { readonly mode: 'auto' | 'any' | 'none'; readonly names?: readonly string[] };
  /** The answer is to be JSON; of this schema, its types in lower case, where there is one. */
  readonly json?: { readonly schema?: unknown };
  /** Thoughts were asked for. */
  readonly thinks: boolean;
  readonly settings: {
    readonly temperature?: number;
    readonly maxOutputTokens?: number;
    readonly stopSequences?: readonly string[];
  };
}

export interface HeardTurn {
  readonly role: 'user' | 'model';
  readonly parts: readonly HeardPart[];
}

export type HeardPart =
  | { readonly text: string }
  | { readonly thought: string; readonly signature?: string }
  | { readonly call: { readonly id?: string; readonly name: string; readonly args: unknown } }
  /** A provider that matches by id tells no name. */
  | { readonly response: { readonly id?: string; readonly name?: string; readonly response: unknown } }
  /** Bytes in standard base64, or an address. */
  | { readonly media: { readonly mimeType?: string; readonly data?: string; readonly uri?: string } };

export interface ProviderRequest {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; undefined where it is no JSON. */
  readonly body: unknown;
}

/** What the server knows: any other key or model is refused. */
export interface Known {
  readonly apiKey: string;
  readonly model: string;
}

export type RefusalKind =
  | 'wrong-key'
  | 'unknown-path'
  | 'unknown-model'
  | 'bad-request'
  | 'too-long'
  | 'rate-limited'
  | 'overloaded'
  | 'failed';

export interface Refusal {
  readonly kind: RefusalKind;
  /** The vendor's own sentence when left out. */
  readonly message?: string;
}

/** A streamed answer as it is written, frame by frame: what shows something is in `body`, what says that it is whole in `closing`. */
export interface Frames {
  readonly opening: readonly string[];
  readonly body: readonly string[];
  readonly closing: readonly string[];
  /** Why it ends and nothing else, where a server counts the tokens behind it. */
  readonly reason: string;
}

/** Bytes of a kind that a part may carry. */
export type MediaType = 'image/png' | 'audio/wav' | 'application/pdf';

export type Lacked = MediaType | 'file' | 'json-without-schema' | 'temperature';

/** How one provider's servers say things on the wire, and what they can. All of it is pure. */
export interface ProviderDialect {
  readonly name: string;
  /** What a base URL ends in, where that is more than the server's address. */
  readonly basePath?: string;
  /** Whether the engine's own call ids are sent (B9). */
  readonly keepsOurIds: boolean;
  /** `signed`: thoughts come with a signature, and go back with it. */
  readonly thoughts: 'signed' | 'told' | 'none';
  /** Arguments are a text that the model wrote, and may be no JSON; otherwise they are part of the answer's JSON. */
  readonly hasArgumentsAsText: boolean;
  /** What the provider cannot take: a part of such a type is an error before it is sent, a setting is left out. */
  readonly lacks: readonly Lacked[];

  /** What is wrong with a request, in the order in which the vendor looks: key, address, model, fields. */
  check(request: ProviderRequest, known: Known): Refusal | undefined;
  isStreamed(request: ProviderRequest): boolean;
  /** A request that was checked. */
  hear(request: ProviderRequest): Heard;
  /** The body of a whole answer. */
  whole(said: Said, model: string): string;
  frames(said: Said, model: string): Frames;
  /** A frame that is none: no JSON where JSON is due. */
  readonly garbage: string;
  refuse(refusal: Refusal): { readonly status: number; readonly body: string };
}

/** A text in at most so many pieces, none of them empty, as a model streams it; at least one. */
export function inPieces(text: string, count = 4): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / count));
  const pieces: string[] = [];
  // By characters, so that none is cut in two.
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces.length > 0 ? pieces : [''];
}

/** Neighbours of one role as one turn. */
export function joinTurns(turns: readonly HeardTurn[]): readonly HeardTurn[] {
  const joined: HeardTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role) {
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
    } else joined.push(turn);
  }
  return joined;
}
