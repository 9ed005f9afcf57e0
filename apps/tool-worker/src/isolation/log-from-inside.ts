import { type Logger } from '@skein/platform';
import { type LogLine } from './isolate-messages';

/** A line that a thread or process sent becomes one of the worker's log, which takes secrets out and knows its format. */
export function logFromInside(logger: Logger, { level, fields, message }: LogLine): void {
  logger[level](fields, message);
}
