import { z } from 'zod';

/** What an error means to whoever gets it; each kind has one row in `errorOutcomes`. */
export const errorKindSchema = z.enum([
  'invalid',
  'denied',
  'not_found',
  'conflict',
  'unavailable',
  'deadline',
  'cancelled',
  'internal',
]);
export type ErrorKind = z.infer<typeof errorKindSchema>;

/** An error as it crosses a process: never a stack. */
export const wireErrorSchema = z.object({
  code: z.string(),
  kind: errorKindSchema,
  message: z.string(),
  details: z.unknown().optional(),
  retryAfterMs: z.number().optional(),
});
export type WireError = z.infer<typeof wireErrorSchema>;

interface AdkErrorOptions {
  readonly details?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

const MARKER = Symbol.for('skein.AdkError');

/** The one error class. `code` is `area.reason`; `isInstance` holds across duplicate copies of this package. */
export class AdkError extends Error {
  readonly details?: unknown;
  readonly retryAfterMs?: number | undefined;
  readonly [MARKER] = true;

  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    options: AdkErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AdkError';
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Never throws: what authors throw may be an object that does when it is looked at, and is none of these. */
  static isInstance(value: unknown): value is AdkError {
    try {
      return value instanceof Error && MARKER in value;
    } catch {
      return false;
    }
  }

  /** Every unknown throw becomes `internal`; its own message stays in `cause`, for the log alone. */
  static from(thrown: unknown): AdkError {
    if (AdkError.isInstance(thrown)) return thrown;
    return new AdkError('internal', 'internal.unexpected', 'An unexpected error occurred.', {
      cause: thrown,
    });
  }

  toWire(): WireError {
    return {
      code: this.code,
      kind: this.kind,
      message: this.message,
      ...(this.details === undefined ? {} : { details: this.details }),
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    };
  }

  static fromWire(wire: WireError): AdkError {
    return new AdkError(wire.kind, wire.code, wire.message, {
      details: wire.details,
      retryAfterMs: wire.retryAfterMs,
    });
  }
}
