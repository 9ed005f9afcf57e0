import { randomUUID } from 'node:crypto';
import { type Event } from '@skein/contracts';

/** So many are made up at a time before they are appended: the time that takes counts for nobody. */
export const EVENTS_AT_ONCE = 40_000;

/** About what a turn's events are: some 300 bytes of JSON. */
export function anEvent(invocationId: string): Event {
  return {
    id: eventIdOfNow(),
    timestamp: Date.now() / 1_000,
    invocationId,
    author: 'bench',
    content: { role: 'model', parts: [{ text: 'The answer is 3.' }] },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
  };
}

/** As `eventIdOf` makes one for a turn that begins now; but for its hash, which takes a runner's time and nobody's here. */
function eventIdOfNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-8${randomUUID().slice(15)}`;
}
