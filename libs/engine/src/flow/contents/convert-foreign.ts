import { type Event, type Part } from '@skein/contracts';
import { type ContentsView } from './contents-view';
import { describePart } from './describe-part';
import { isForeign } from './foreign-author';
import { type Pairing, pairResponses } from './pair-responses';
import { isAct, isVisiblePart } from './visible-part';

/** Opens what an agent is told about others; it is no answer of its own and no wish of the user's. */
export const CONTEXT_HEADER = 'For context:';

/** The history with other agents' events told in the user's role, and with them the responses to their calls (B4, B5). */
export function convertForeign(events: readonly Event[], view: ContentsView): readonly Event[] {
  if (!events.some((event) => isForeign(event, view.agentName))) return events;
  const pairing = pairResponses(events);
  return events.flatMap((event) => converted(event, pairing, view));
}

/** One event as the agent is told it; the events before it are paired already, and those behind it change nothing. */
export function converted(event: Event, pairing: Pairing, view: ContentsView): Event | Event[] {
  return isForeign(event, view.agentName)
    ? told(event, event.content?.parts ?? [], view)
    : withoutForeignAnswers(event, pairing, view);
}

/** The event as context, and nothing when only the header would be left. */
function told(event: Event, parts: readonly Part[], view: ContentsView): Event[] {
  const sentences = parts.flatMap((part): Part[] => {
    const text = describePart(event.author, part, view.includeThoughtsFromOtherAgents);
    if (text !== undefined) return [{ text }];
    // Media and code have no sentence and speak for themselves.
    return isVisiblePart(part) ? [part] : [];
  });
  if (sentences.length === 0) return [];
  const content = { role: 'user', parts: [{ text: CONTEXT_HEADER }, ...sentences] };
  return [{ ...event, author: 'user', content }];
}

/**
 * The agent's own event, or the user's, with the responses to other agents' calls set apart and told. What else the
 * event says goes with the agent's own responses, and with the others where it has none.
 */
function withoutForeignAnswers(event: Event, pairing: Pairing, view: ContentsView): Event | Event[] {
  const calls = pairing.answered.get(event);
  const answersForeign = (index: number): boolean => {
    const asked = calls?.[index]?.exchange.asked;
    return asked !== undefined && isForeign(asked, view.agentName);
  };
  const parts = event.content?.parts ?? [];
  if (!parts.some((_part, index) => answersForeign(index))) return event;
  const own = parts.filter((_part, index) => !answersForeign(index));
  if (!own.some(isAct)) return told(event, parts, view);
  const foreign = parts.filter((_part, index) => answersForeign(index));
  return [{ ...event, content: { ...event.content, parts: own } }, ...told(event, foreign, view)];
}
