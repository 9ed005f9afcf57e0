import { type Content, type Event } from '@skein/contracts';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';
import { changesHistory, ToldHistory } from './told-history';

/** Agents that are told one log, each as it sees it; of more than these each request begins anew. */
const MAX_VIEWS = 8;

/** What was told of a log, by who was told it; as long as the log is held. */
const told = new WeakMap<readonly Event[], Map<string, ToldHistory>>();

/** What `buildContents` makes, of a log that only grows between two requests: then only what is new is looked at. */
export function tellHistory(events: readonly Event[], view: ContentsView): readonly Content[] {
  return historyOf(events, view)?.contents() ?? buildContents(events, view);
}

/** About how much memory is held for a log beside it, for all who were told it: it goes with the log. */
export function toldBytes(events: readonly Event[]): number {
  const views = told.get(events)?.values() ?? [];
  return [...views].reduce((sum, { bytes }) => sum + bytes, 0);
}

function historyOf(events: readonly Event[], view: ContentsView): ToldHistory | undefined {
  const { agentName, branch, includeContents, isolationScope, includeThoughtsFromOtherAgents } = view;
  if (includeContents !== 'default' || isolationScope !== undefined) return undefined;
  const views = told.get(events) ?? new Map<string, ToldHistory>();
  told.set(events, views);
  const key = JSON.stringify([agentName, branch, includeThoughtsFromOtherAgents]);
  const known = views.get(key);
  if (known?.takeIn(events)) return known;
  views.delete(key);
  if (events.some(changesHistory)) return undefined;
  const history = new ToldHistory(view);
  history.takeIn(events);
  const [oldest] = views.keys();
  if (views.size >= MAX_VIEWS && oldest !== undefined) views.delete(oldest);
  views.set(key, history);
  return history;
}
