import { AdkError, type Handover } from '@skein/contracts';
import { createEvent, eventIdOf } from '@skein/engine';
import { type AppendPipeline } from '@skein/session-client';

/**
 * Ends a run whose unit was refused for what it holds. What the user said was accepted, so it is stored all the same,
 * with an error event in the place of the rest; if that is refused too, at least the end is.
 */
export async function finishRefused(
  pipeline: AppendPipeline,
  handover: Handover,
  refusal: unknown,
): Promise<void> {
  const { code, message } = AdkError.from(refusal);
  const finish = { status: 'failed', error: { code, message } } as const;
  const lost = await pipeline.reopen();
  for (const unitEvent of lost) if (unitEvent.event.author === 'user') pipeline.stageEvent(unitEvent);
  pipeline.stageEvent(errorEvent(handover, code, message));
  try {
    await pipeline.finish(finish);
  } catch {
    // The first refusal is what the run failed of; this one says no more than that nothing else can be stored.
    await pipeline.reopen();
    await pipeline.finish(finish);
  }
}

function errorEvent({ appName, invocationId, segment }: Handover, errorCode: string, errorMessage: string) {
  const stepKey = `${segment}/refused`;
  const event = createEvent({
    id: eventIdOf(invocationId, stepKey),
    invocationId,
    author: appName,
    timestamp: Date.now() / 1000,
    errorCode,
    errorMessage,
  });
  return { stepKey, event };
}
