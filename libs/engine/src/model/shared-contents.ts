import { type Content } from '@skein/contracts';
import { copyJson } from '../json/copy-json';
import { type LlmRequest } from './llm-request';

interface Told {
  /** Of the session's log, or of another request: nobody may change them. */
  shared: readonly Content[];
  /** The request's own, once somebody asked for them. */
  own: Content[] | undefined;
}

const TOLD = Symbol('skein.told');

interface Telling {
  /** Its `contents` are copied when they are first read. */
  readonly [TOLD]: Told;
}

/**
 * The same two functions for every request: V8 keeps an object's own accessors in its hidden class, and with closures in it all
 * that they can reach would outlive the request until the next full collection.
 */
const contentsOfTelling: PropertyDescriptor & ThisType<Telling> = {
  enumerable: true,
  configurable: true,
  get() {
    const told = this[TOLD];
    return (told.own ??= told.shared.map(copyJson));
  },
  set(contents: Content[]) {
    this[TOLD].own = contents;
  },
};

/**
 * A request whose `contents` are made when somebody reads or sets them: whoever has them may change them, and until then
 * the history, which is most of a long session's request, is copied for nobody (ADR 19).
 */
export function createLlmRequest(fields: Omit<LlmRequest, 'contents'>): LlmRequest {
  const told: Told = { shared: [], own: undefined };
  const { model, config, toolsDict, ordinal, origin } = fields;
  const own = { model, config, toolsDict, ordinal, ...(origin ? { origin } : {}) };
  const request = Object.defineProperty(own, 'contents', contentsOfTelling);
  // Not enumerable: whoever copies the request has contents of his own.
  return Object.defineProperty(request, TOLD, { value: told }) as LlmRequest & Telling;
}

function toldOf(request: LlmRequest): Told | undefined {
  return (request as Partial<Telling>)[TOLD];
}

/** Has a request tell contents that are somebody else's too. */
export function shareContents(request: LlmRequest, contents: readonly Content[]): void {
  const told = toldOf(request);
  if (!told) {
    request.contents = contents.map(copyJson);
    return;
  }
  told.shared = contents;
  told.own = undefined;
}

/** What a request tells, for one who changes none of it, in no depth: it may be the session's own. */
export function readContents(request: LlmRequest): readonly Content[] {
  const told = toldOf(request);
  return told && !told.own ? told.shared : request.contents;
}

/** A request that tells what another does and differs from it in some fields; what is done to its contents stays there. */
export function requestLike(request: LlmRequest, changes: Partial<Omit<LlmRequest, 'contents'>>): LlmRequest {
  const { model, config, toolsDict, ordinal, origin } = request;
  const like = createLlmRequest({
    ...{ model, config, toolsDict, ordinal },
    ...(origin ? { origin } : {}),
    ...changes,
  });
  shareContents(like, readContents(request));
  return like;
}
