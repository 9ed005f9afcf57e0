import { type Content } from '@skein/contracts';
import { copyJson } from '../json/copy-json';
import { type LlmRequest } from './llm-request';

interface Told {
  /** Of the session's log, or of another request: nobody may change them. */
  shared: readonly Content[];
  /** The request's own, once somebody asked for them. */
  own: Content[] | undefined;
}

/** An entry means that the request's `contents` are copied when they are first read. */
const toldBy = new WeakMap<LlmRequest, Told>();

/**
 * A request whose `contents` are made when somebody reads or sets them: whoever has them may change them, and until then
 * the history, which is most of a long session's request, is copied for nobody (ADR 19).
 */
export function createLlmRequest(fields: Omit<LlmRequest, 'contents'>): LlmRequest {
  const told: Told = { shared: [], own: undefined };
  const request: LlmRequest = {
    ...fields,
    get contents() {
      return (told.own ??= told.shared.map(copyJson));
    },
    set contents(contents) {
      told.own = contents;
    },
  };
  toldBy.set(request, told);
  return request;
}

/** Has a request tell contents that are somebody else's too. */
export function shareContents(request: LlmRequest, contents: readonly Content[]): void {
  const told = toldBy.get(request);
  if (!told) request.contents = contents.map(copyJson);
  else Object.assign(told, { shared: contents, own: undefined } satisfies Told);
}

/** What a request tells, for one who changes none of it, in no depth: it may be the session's own. */
export function readContents(request: LlmRequest): readonly Content[] {
  const told = toldBy.get(request);
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
