import { type Event, type EventActions, type Part } from '@skein/contracts';
import { createEventActions } from '../event/create-event';
import { type AnsweredCall } from './answer-call';

/** The one event that answers a turn's calls: parts in call order, actions merged (B31). */
export function mergeResponses(
  answers: readonly AnsweredCall[],
): Pick<Event, 'content' | 'actions' | 'customMetadata'> {
  const parts = answers.map(({ callId, tool, response }): Part => ({
    functionResponse: { id: callId, name: tool, response },
  }));
  const executions = answers.flatMap(({ callId, tool, execution }) =>
    execution ? [{ callId, tool, ...execution }] : [],
  );
  return {
    content: { role: 'user', parts },
    actions: mergeActions(answers.map(({ actions }) => actions)),
    ...(executions.length > 0 ? { customMetadata: { 'skein.tools': executions } } : {}),
  };
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
