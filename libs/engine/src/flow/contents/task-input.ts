import { type Content, type Event } from '@skein/contracts';
import { getFunctionCalls } from '../../event/function-parts';
import { type ContentsView } from './contents-view';

/**
 * What a task agent is to do, as its first content: the arguments of the call that its scope is named after, which its
 * caller made outside of the scope (B13). Nothing for an agent without a scope or a call without arguments.
 */
export function taskInput(events: readonly Event[], { isolationScope }: ContentsView): Content[] {
  if (isolationScope === undefined) return [];
  // From the end: should an id repeat, the latest call is the one being worked on.
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index];
    const call = event && getFunctionCalls(event).find(({ id }) => id === isolationScope);
    if (call) return argumentsAsContent(call.args);
  }
  return [];
}

function argumentsAsContent(args: object | undefined): Content[] {
  if (!args || Object.keys(args).length === 0) return [];
  return [{ role: 'user', parts: [{ text: JSON.stringify(args) }] }];
}
