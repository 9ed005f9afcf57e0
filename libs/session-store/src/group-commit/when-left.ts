/**
 * Resolves once what was sent in this pass of the event loop has left: it is written at the end of the pass. A statement that is
 * written before has PostgreSQL woken, which on a machine it shares may take the processor from this process until it is done.
 */
export function whenLeft(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
