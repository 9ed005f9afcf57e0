import { type Event, type Part } from '@skein/contracts';
import { REQUEST_CREDENTIAL } from '../../auth/auth-config';
import { REQUEST_CONFIRMATION } from '../request-events';
import { isBranchVisible } from './branch-visibility';
import { type ContentsView } from './contents-view';
import { isForeign } from './foreign-author';
import { isVisiblePart } from './visible-part';

/** Where a history is read; thoughts of others count only where somebody is named. */
export type SelectionView = Pick<ContentsView, 'branch' | 'isolationScope'> &
  Partial<Pick<ContentsView, 'agentName' | 'includeThoughtsFromOtherAgents'>>;

/** Questions of the framework to the user and their answers: the model neither asked nor may it see secrets (B2). */
const FRAMEWORK_FUNCTIONS = new Set([REQUEST_CREDENTIAL, REQUEST_CONFIRMATION, 'adk_request_input']);

/** The events that say something to whoever stands at this place, and the compactions that count there (B2, B3). */
export function selectEvents(events: readonly Event[], view: SelectionView): readonly Event[] {
  return events.flatMap((event) => selected(event, view) ?? []);
}

/** Of one event what is said to whoever stands at this place; nothing where it says nothing there. */
export function selected(event: Event, view: SelectionView): Event | undefined {
  if (event.isolationScope !== view.isolationScope) return undefined;
  if (!isBranchVisible(event.branch, view.branch)) return undefined;
  return event.actions.compaction ? event : visibleOf(event, view);
}

/** The event without the framework's parts, and nothing when the rest says nothing. */
function visibleOf(event: Event, view: SelectionView): Event | undefined {
  // A chunk comes again in the whole answer; it is in the log only while that is on its way.
  if (event.partial) return undefined;
  const all = event.content?.parts ?? [];
  const parts = all.some(isOfFramework) ? all.filter((part) => !isOfFramework(part)) : all;
  const includeThoughts =
    view.includeThoughtsFromOtherAgents === true &&
    view.agentName !== undefined &&
    isForeign(event, view.agentName);
  if (!parts.some((part) => isVisiblePart(part, includeThoughts))) return undefined;
  return parts === all ? event : { ...event, content: { ...event.content, parts } };
}

function isOfFramework({ functionCall, functionResponse }: Part): boolean {
  const name = (functionCall ?? functionResponse)?.name;
  return name !== undefined && FRAMEWORK_FUNCTIONS.has(name);
}
