import { AdkError, type JsonValue, MAX_RESULT_DEPTH } from '@skein/contracts';
import { describeError } from '../error/describe-error';
import { cleanJson } from '../json/clean-json';

/** Where a call tells of itself while it runs. Neither waits nor throws; what it is told may be lost. */
export interface ToolReporter {
  progress(value: JsonValue): void;
  heartbeat(): void;
}

/** As much as one `ctx.progress` may tell, as JSON. */
export const MAX_PROGRESS_BYTES = 64 * 1024;

/** What a tool tells of its progress, made storable; throws `tool.progress` for what has no JSON form or is too large. */
export function storableProgress(value: unknown): JsonValue {
  const told = asJson(value);
  const sizeBytes = Buffer.byteLength(JSON.stringify(told));
  if (sizeBytes <= MAX_PROGRESS_BYTES) return told;
  throw cannotBeTold(`it is ${sizeBytes} bytes long, above the limit of ${MAX_PROGRESS_BYTES}.`);
}

function asJson(value: unknown): JsonValue {
  // JSON has no word for them, and would tell nothing.
  if (typeof value === 'function' || typeof value === 'symbol')
    throw cannotBeTold(`it is a ${typeof value}.`);
  try {
    return cleanJson(value ?? null, MAX_RESULT_DEPTH);
  } catch (error) {
    throw cannotBeTold(describeError(error), error);
  }
}

function cannotBeTold(reason: string, cause?: unknown): AdkError {
  return new AdkError('invalid', 'tool.progress', `What ctx.progress was given cannot be sent: ${reason}`, {
    cause,
  });
}
