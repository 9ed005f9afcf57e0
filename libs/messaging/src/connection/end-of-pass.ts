type Leave = () => void;

const first: Leave[] = [];
const behind: Leave[] = [];

/**
 * Calls back once the callbacks of this pass of the event loop have run, and whatever they set off at once. What goes to NATS
 * leaves first, since a run waits for that; a process that is woken by a write may take the processor from who wrote, so
 * an answer that leaves before it would have the run wait for its reader.
 */
export function atEndOfPass(leave: Leave, place: 'first' | 'behind'): void {
  if (first.length === 0 && behind.length === 0) setImmediate(endPass);
  (place === 'first' ? first : behind).push(leave);
}

function endPass(): void {
  for (const leave of [...first.splice(0), ...behind.splice(0)]) leave();
}
