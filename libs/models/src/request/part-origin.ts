import { type Part } from '@skein/contracts';
import { type ModelProvider } from '../registry/model-settings';

/** Where a thought or a signature came from, kept with its part: no provider takes another's back. */
export interface PartOrigin {
  readonly provider: ModelProvider;
  /** A thought that came without its text: what is signed is all there is of it. */
  readonly isRedacted?: true;
  /** The field that a thought came in, where it is not the usual one. */
  readonly reasoningField?: 'reasoning';
}

/** Beside it in `partMetadata` may be what an author put there. */
const KEY = 'skein';

export function cameFrom(origin: PartOrigin): Pick<Part, 'partMetadata'> {
  return { partMetadata: { [KEY]: origin } };
}

/** A signature that says nothing of its origin is Gemini's, whose field it is: sessions of other ADKs have such. */
export function originOf({ partMetadata, thoughtSignature }: Part): PartOrigin | undefined {
  const told = partMetadata as Readonly<Record<typeof KEY, PartOrigin>> | null | undefined;
  return told?.[KEY] ?? (thoughtSignature ? { provider: 'gemini' } : undefined);
}

/** What of a content's parts `provider` may be told: no thoughts and no signatures of others, and no mark of ours. */
export function ownParts(parts: readonly Part[], provider: ModelProvider): Part[] {
  return parts.flatMap((part) => {
    const origin = originOf(part);
    if (!origin || origin.provider === provider) return [part];
    if (part.thought && !part.functionCall) return [];
    const { thoughtSignature: _foreign, ...rest } = part;
    return [rest];
  });
}

/** The part without our mark; what else is in its metadata stays. */
export function withoutOrigin(part: Part): Part {
  const { partMetadata, ...rest } = part;
  if (typeof partMetadata !== 'object' || partMetadata === null || !(KEY in partMetadata)) return part;
  const { [KEY]: _origin, ...own } = partMetadata as Readonly<Record<string, unknown>>;
  return Object.keys(own).length > 0 ? { ...rest, partMetadata: own } : rest;
}
