import type { ErrorKind } from './adk-error';

/** What JetStream is told about a message whose handler failed. */
export type Settlement = 'ack' | 'term' | 'nak' | 'retry';

/** What an error of one kind leads to, at each kind of border. */
export interface ErrorOutcome {
  readonly httpStatus: number;
  /** `retry` tries the handler again at once, at most 3 times, then naks; `term` also leaves a dead letter. */
  readonly settlement: Settlement;
  readonly log: 'error' | 'warn' | 'info';
}

/** One row a kind, so a new kind does not compile until its outcome is decided. */
export const errorOutcomes: Readonly<Record<ErrorKind, ErrorOutcome>> = {
  invalid: { httpStatus: 422, settlement: 'term', log: 'warn' },
  denied: { httpStatus: 403, settlement: 'term', log: 'warn' },
  not_found: { httpStatus: 404, settlement: 'term', log: 'info' },
  conflict: { httpStatus: 409, settlement: 'retry', log: 'info' },
  unavailable: { httpStatus: 503, settlement: 'nak', log: 'warn' },
  deadline: { httpStatus: 504, settlement: 'nak', log: 'warn' },
  cancelled: { httpStatus: 499, settlement: 'ack', log: 'info' },
  internal: { httpStatus: 500, settlement: 'nak', log: 'error' },
};
