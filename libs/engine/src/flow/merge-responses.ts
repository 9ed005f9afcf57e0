import { type Event, type EventActions, type Part } from '@skein/contracts';
import { createEventActions } from '../event/create-event';
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
  const customMetadata = {
    ...(executions.length > 0 ? { 'skein.tools': executions } : {}),
    ...(Object.keys(childAnswers).length > 0 ? { [CHILD_ANSWERS]: childAnswers } : {}),
  };
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

/** Maps are merged per key, scalars later wins; of artifact versions the highest, whichever call finished last (B31). */
export function mergeActions(all: readonly EventActions[]): EventActions {
  const merged = createEventActions();
  for (const actions of all) {
    const artifactDelta = { ...merged.artifactDelta };
    for (const [name, version] of Object.entries(actions.artifactDelta)) {
      artifactDelta[name] = Math.max(version, artifactDelta[name] ?? 0);
    }
    Object.assign(merged, actions, {
      artifactDelta,
      stateDelta: { ...merged.stateDelta, ...actions.stateDelta },
      requestedAuthConfigs: { ...merged.requestedAuthConfigs, ...actions.requestedAuthConfigs },
      requestedToolConfirmations: {
        ...merged.requestedToolConfirmations,
        ...actions.requestedToolConfirmations,
      },
    });
  }
  return merged;
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const [name, count] of counts.flatMap(Object.entries<number>)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
