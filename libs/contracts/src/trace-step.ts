import { createHash } from 'node:crypto';

/**
 * Where a context holds the step that the next span stands for. A symbol of the registry, which is what OpenTelemetry's
 * `createContextKey` makes, so that a lib without OpenTelemetry may name it.
 */
export const TRACE_STEP = Symbol.for('skein.trace.step');

/**
 * A span that lasts while other processes work for it may be lost with its process. Whoever goes on with its step ends it
 * under the same id, so that what stands below it has a parent all the same. `path` is a step key, a frame's path or a
 * dispatch id.
 */
export function traceStepOf(invocationId: string, path: string): string {
  return `${invocationId}/${path}`;
}

/** The id of a step's span: 16 hex digits, never all zero. */
export function spanIdOf(traceStep: string): string {
  const id = createHash('sha256').update(traceStep).digest('hex').slice(0, 16);
  return /^0+$/.test(id) ? '0000000000000001' : id;
}
