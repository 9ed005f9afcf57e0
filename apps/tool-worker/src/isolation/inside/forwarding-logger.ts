import { type Logger } from '@skein/platform';
import { type LogLine } from '../isolate-messages';
import { RunningCall } from './running-call';

/** A log whose lines the worker writes; each says which call it is from. */
export function forwardingLogger(send: (line: LogLine) => void, own: object = {}): Logger {
  const write =
    (level: LogLine['level']) =>
    (fields: object, message: string): void => {
      const dispatchId = RunningCall.current?.dispatchId;
      const all = { ...own, ...plain(fields), ...(dispatchId && { dispatchId }) };
      send({ type: 'log', level, fields: all, message });
    };
  return {
    ...{ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    child: (fields) => forwardingLogger(send, { ...own, ...fields }),
  };
}

/** An error loses its text on the way; the log would show its message and stack. */
function plain(fields: object): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Error ? { message: value.message, stack: value.stack } : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}
