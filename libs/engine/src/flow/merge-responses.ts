import { type Event, type EventActions, type Part } from '@skein/contracts';
import { createEventActions } from '../event/create-event';
import { getOwn, setOwn } from '../json/set-own';
import { type AnsweredCall } from './answer-call';
import { CHILD_ANSWERS } from './answers-of';

/** The one event that answers a turn's calls: parts in call order, actions merged (B31). */
export function mergeResponses(
  answers: readonly AnsweredCall[],
): Pick<Event, 'content' | 'actions' | 'customMetadata'> {
  const parts = answers.flatMap(({ callId, tool, response, actions }): Part[] => [
    { functionResponse: { id: callId, name: tool, response } },
    ...(actions.skipSummarization ? displayOf(response) : []),
  ]);
  const executions = answers.flatMap(({ callId, tool, execution }) =>
    execution ? [{ callId, tool, ...execution }] : [],
  );
  const childAnswers = sumOf(answers.map(({ childAnswers = {} }) => childAnswers));
  const customMetadata: Record<string, unknown> = {};
  if (executions.length > 0) customMetadata['skein.tools'] = executions;
  if (Object.keys(childAnswers).length > 0) customMetadata[CHILD_ANSWERS] = childAnswers;
  return {
    content: { role: 'user', parts },
    actions: mergeActions(answers.map(({ actions }) => actions)),
    ...(Object.keys(customMetadata).length > 0 ? { customMetadata } : {}),
  };
}

/** No model will put this result into words, so the user is shown it as it is; errors and nothing are not shown (B30). */
function displayOf(response: Readonly<Record<string, unknown>>): Part[] {
  if ('error' in response) return [];
  const [key, ...others] = Object.keys(response);
  const shown = key === 'result' && others.length === 0 ? response.result : response;
  if (shown === null || shown === undefined) return [];
  return [{ text: typeof shown === 'string' ? shown : JSON.stringify(shown) }];
}

/**
 * Maps are merged field by field, those in them too; of anything else the later wins. Of artifact versions the highest,
 * whichever call finished last (B31).
 */
export function mergeActions(all: readonly EventActions[]): EventActions {
  const merged = createEventActions();
  for (const actions of all) {
    const { artifactDelta, stateDelta, requestedAuthConfigs, requestedToolConfirmations } = merged;
    Object.assign(merged, actions, {
      artifactDelta: latestVersions(artifactDelta, actions.artifactDelta),
      stateDelta: mergeMaps(stateDelta, actions.stateDelta),
      requestedAuthConfigs: mergeMaps(requestedAuthConfigs, actions.requestedAuthConfigs),
      requestedToolConfirmations: mergeMaps(requestedToolConfirmations, actions.requestedToolConfirmations),
    });
  }
  return merged;
}

type VersionsByName = Readonly<Record<string, number>>;

/** Of each artifact the higher version. */
export function latestVersions(one: VersionsByName, other: VersionsByName): Record<string, number> {
  const latest = { ...one };
  for (const [name, version] of Object.entries(other)) {
    setOwn(latest, name, Math.max(version, getOwn(latest, name) ?? 0));
  }
  return latest;
}

type Dict = Readonly<Record<string, unknown>>;

function mergeMaps(one: Dict, other: Dict): Record<string, unknown> {
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = getOwn(merged, key);
    setOwn(merged, key, isMap(before) && isMap(value) ? mergeMaps(before, value) : value);
  }
  return merged;
}

function isMap(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>)) {
    setOwn(sum, name, (getOwn(sum, name) ?? 0) + count);
  }
  return sum;
}
