import { type Event } from '@skein/contracts';
import { getFunctionCalls, hasFunctionResponses } from '../../event/function-parts';
import { TRANSFER_TO_AGENT } from '../../tool/transfer-to-agent-tool';
import { isClosing } from '../answers-of';
import { type ContentsView } from './contents-view';
import { isForeign } from './foreign-author';
import { pairResponses } from './pair-responses';

/**
 * For an agent without history, the events of its turn: from the latest word of the user or of another agent on, with
 * every call and response since (B10). For others, all.
 */
export function currentTurn(events: readonly Event[], view: ContentsView): readonly Event[] {
  if (view.includeContents === 'default') return events;
  const latest = latestCallIndex(events) ?? events.length - 1;
  for (let index = latest; index >= 0; index--) {
    const event = events[index];
    if (event && opensTurn(event, view.agentName)) return events.slice(index);
  }
  return [];
}

/** A late response goes on with the turn its call was made in, so the search begins there. */
function latestCallIndex(events: readonly Event[]): number | undefined {
  const last = events.at(-1);
  if (!last || !hasFunctionResponses(last) || isClosing(last)) return undefined;
  const call = pairResponses(events)
    .answered.get(last)
    ?.find((answered) => answered);
  return call && events.lastIndexOf(call.exchange.asked);
}

function opensTurn(event: Event, agentName: string): boolean {
  // A summary stands for all before it, the opening of this turn perhaps included.
  if (event.actions.compaction) return true;
  // The user's responses answer calls of a turn that is under way.
  if (event.author === 'user') return !hasFunctionResponses(event);
  return isForeign(event, agentName) && !isTransfer(event) && !isClosing(event);
}

/** A hand-over is how the agent got its turn; what it is to do was said before (B10). */
function isTransfer(event: Event): boolean {
  return (
    event.actions.transferToAgent !== undefined ||
    getFunctionCalls(event).some(({ name }) => name === TRANSFER_TO_AGENT)
  );
}
