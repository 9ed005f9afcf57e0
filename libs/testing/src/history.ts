import { type Content, type Event, type FunctionCall, type Part } from '@skein/contracts';
import { type CreateEventParams } from '@skein/engine';
import { anEvent } from './builders';

type More = Partial<Omit<CreateEventParams, 'author' | 'content'>>;

/** An event in which somebody says something: a text, or parts. */
export function says(author: string, what: string | Part[], more: More = {}): Event {
  const parts = typeof what === 'string' ? [{ text: what }] : what;
  return anEvent({ author, content: { role: author === 'user' ? 'user' : 'model', parts }, ...more });
}

/** An event in which an agent asks for calls; of a call the id is enough. */
export function asks(author: string, calls: readonly (string | FunctionCall)[], more: More = {}): Event {
  const parts = calls.map((call) => ({
    functionCall: typeof call === 'string' ? { id: call, name: `f_${call}`, args: {} } : call,
  }));
  return anEvent({ author, content: { role: 'model', parts }, ...more });
}

/** An event with responses, by the id of their calls. */
export function answers(author: string, results: Readonly<Record<string, unknown>>, more: More = {}): Event {
  const parts = Object.entries(results).map(([id, result]) => aResponse(id, result));
  return anEvent({ author, content: { role: 'user', parts }, ...more });
}

export function aResponse(id: string, result: unknown): Part {
  return { functionResponse: { id, name: `f_${id}`, response: { result } } };
}

/** A compaction event: a summary for the time from start to end. */
export function summary(text: string, [start, end]: readonly [number, number], more: More = {}): Event {
  const compactedContent = { role: 'model', parts: [{ text }] };
  const actions = { compaction: { startTimestamp: start, endTimestamp: end, compactedContent } };
  return anEvent({ author: 'user', actions, ...more });
}

/** The events at seconds 1, 2, 3, ... */
export function inTime(...events: Event[]): Event[] {
  return events.map((event, index) => ({ ...event, timestamp: index + 1 }));
}

/** What a model was told, one line a content: `role: part | part`, calls as `?id`, responses as `!id=result`. */
export function transcript(contents: readonly Content[]): string[] {
  return contents.map(({ role, parts = [] }) => `${role}: ${parts.map(asText).join(' | ')}`);
}

function asText({ text, functionCall, functionResponse, ...rest }: Part): string {
  if (functionCall) return `?${functionCall.id}`;
  if (functionResponse) return `!${functionResponse.id}=${String(functionResponse.response?.result)}`;
  return text ?? JSON.stringify(rest);
}
