import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import { type CommonConfig } from '../config/common-env';
import { redactFields, withoutPassword } from './redact';

type Write = (fields: object, message: string) => void;

/** Log lines are events with fields: `logger.info({ sessionId, seq }, 'event appended')`. Never payloads or secrets. */
export interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  /** The same log, with these fields on every line. */
  child(fields: object): Logger;
}

interface LoggerOptions {
  readonly service: string;
  readonly level?: CommonConfig['LOG_LEVEL'];
  readonly format?: CommonConfig['LOG_FORMAT'];
  /** stdout when left out. */
  readonly destination?: pino.DestinationStream;
}

/** A logger to stdout. It writes before it returns, so that the last line of a dying process is not lost. */
export function createLogger({
  service,
  level = 'info',
  format = 'json',
  destination,
}: LoggerOptions): Logger {
  const output =
    destination ?? (format === 'pretty' ? prettyStdout() : pino.destination({ fd: 1, sync: true }));
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: activeSpan,
      formatters: { level: (label) => ({ level: label }), log: redactFields },
    },
    // The error serializer keeps messages as they are, and a driver's message may hold a whole URL.
    { write: (line: string) => output.write(withoutPassword(line)) },
  );
}

/** Says nothing; for tests and for code that has no log. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};

function activeSpan(): object {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

function prettyStdout(): pino.DestinationStream {
  // Loaded here, because a process that logs JSON does without it; a stream in this process, because a worker thread
  // would lose the last lines.
  const { prettyFactory } = createRequire(__filename)('pino-pretty') as typeof PinoPretty;
  const toText = prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'service' });
  const stdout = pino.destination({ fd: 1, sync: true });
  return { write: (line) => stdout.write(toText(line)) };
}
