import { type StoredEvent, type UnitEvent } from '@skein/contracts';
import { endCancelled, type Invocation, type SegmentInput } from '@skein/engine';
import { type AppendPipeline } from '@skein/session-client';

export interface CancelledRun {
  readonly invocation: Invocation;
  readonly input: SegmentInput;
  /** What of its segment was stored before this runner had it, in order. */
  readonly stored: readonly StoredEvent[];
  readonly pipeline: AppendPipeline;
  /** Whether the run had come to its end, and only that was refused. */
  readonly wasFinished: boolean;
}

/** Stores that a run is over because nobody wants it any more; what it said until then stays. */
export async function finishCancelled(run: CancelledRun): Promise<void> {
  const { invocation, input, stored, pipeline, wasFinished } = run;
  const lost = await pipeline.reopen();
  if (wasFinished) restage(lost, pipeline);
  catchUp(invocation, stored);
  // The journal takes them; they are shown by who publishes what is stored.
  for await (const _event of endCancelled(invocation, input)) continue;
  await pipeline.finish({ status: 'cancelled' });
}

/** Beside the end that was refused stood what the run said last. */
function restage(lost: readonly UnitEvent[], pipeline: AppendPipeline): void {
  for (const unitEvent of lost) pipeline.stageEvent(unitEvent);
}

/** A run that was taken over may not have come past all that is stored of it; its open calls are found there too. */
function catchUp({ session }: Invocation, stored: readonly StoredEvent[]): void {
  const known = new Set(session.events.map(({ id }) => id));
  session.events.push(...stored.flatMap(({ event }) => (known.has(event.id) ? [] : [event])));
}
