import { type Event, type FunctionCall, type FunctionResponse } from '@skein/contracts';

type WithContent = Pick<Event, 'content'>;

/** The calls an event asks for, in order. */
export function getFunctionCalls(event: WithContent): FunctionCall[] {
  return (event.content?.parts ?? []).flatMap((part) => part.functionCall ?? []);
}

export function hasFunctionCalls(event: WithContent): boolean {
  return event.content?.parts?.some((part) => part.functionCall) ?? false;
}

export function hasFunctionResponses(event: WithContent): boolean {
  return event.content?.parts?.some((part) => part.functionResponse) ?? false;
}

/** The responses an event carries, in order. */
export function getFunctionResponses(event: WithContent): FunctionResponse[] {
  return (event.content?.parts ?? []).flatMap((part) => part.functionResponse ?? []);
}
