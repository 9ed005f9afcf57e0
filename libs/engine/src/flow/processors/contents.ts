/* eslint-disable require-yield -- a processor may yield events; this one has none. */
import { type Content, type Event, type Part } from '@skein/contracts';
import { type RequestProcessor } from '../request-processor';

/** The conversation so far: each stored event that says something, in order, as a copy (B2, B9). */
export const contentsProcessor: RequestProcessor = {
  name: 'contents',
  async *run(_agent, context, request) {
    request.contents = context.session.events.flatMap(contentOf);
  },
};

function contentOf(event: Event): Content[] {
  const parts = event.content?.parts ?? [];
  if (event.partial || !parts.some(isVisible)) return [];
  return [structuredClone({ ...event.content, parts })];
}

/** A thought or white space alone says nothing, but a call, a response or code always does (B2). */
function isVisible(part: Part): boolean {
  if (part.functionCall ?? part.functionResponse ?? part.executableCode ?? part.codeExecutionResult)
    return true;
  if (part.thought) return false;
  return part.text === undefined ? Object.keys(part).length > 0 : part.text.trim() !== '';
}
