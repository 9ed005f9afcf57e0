import type { Shown } from '../src/run/stream-order';
import type { RunOutcome } from '../src/run/stream-reader';

/** Reads a stream to its end; `shown` grows meanwhile, one label for each thing. */
export function collectShown(source: AsyncGenerator<readonly Shown[], RunOutcome>): {
  readonly shown: readonly string[];
  readonly outcome: Promise<RunOutcome>;
} {
  const shown: string[] = [];
  const outcome = collect(source, shown);
  // Whoever expects a failure says so; the others fail on what was shown.
  outcome.catch(() => undefined);
  return { shown, outcome };
}

async function collect(
  source: AsyncGenerator<readonly Shown[], RunOutcome>,
  shown: string[],
): Promise<RunOutcome> {
  for (;;) {
    const next = await source.next();
    if (next.done === true) return next.value;
    shown.push(...next.value.map(label));
  }
}

function label(shown: Shown): string {
  if (shown.kind === 'reset') return `reset ${shown.eventId}`;
  return shown.kind === 'event' ? shown.event.id : `chunk ${shown.event.id}`;
}
