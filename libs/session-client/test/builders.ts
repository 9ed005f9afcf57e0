import { type Event } from '@skein/contracts';
import { createEvent } from '@skein/engine';
import { AppendPipeline, type AppendPipelineParams } from '../src/append-pipeline';
import { type AppendUnitClient } from '../src/append-unit-client';

const owner = {
  ...{ appName: 'app', userId: 'user', sessionId: 'session' },
  invocationId: 'e-01890000-0000-7000-8000-000000000000',
  ...{ runnerId: 'runner-1', epoch: 3, segment: 0 },
};

/** Of the run whose pipeline `pipelineTo` makes. */
export function anEvent(id: string): Event {
  return createEvent({ id, invocationId: owner.invocationId, author: 'agent', timestamp: 1 });
}

export function pipelineTo(
  client: AppendUnitClient,
  over: Partial<AppendPipelineParams> = {},
): AppendPipeline {
  const { signal } = new AbortController();
  return new AppendPipeline({
    ...{ owner, client, lastSeq: 0, signal, onCancelRequested: () => undefined },
    ...over,
  });
}
