import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import { type CommonConfig } from '../config/common-env';
import { type Conceal } from '../telemetry/conceal';
import { concealLine } from './conceal-line';
import { workIds } from './log-context';
import { redactFields } from './redact';

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
  /** Told of each line that is written. */
  readonly onLine?: (level: string) => void;
  /** Looks over each line before it is written; without it, what has the shape of a secret is taken out. */
  readonly conceal?: Conceal;
  /** stdout when left out. */
  readonly destination?: pino.DestinationStream;
}

/** A logger to stdout. It writes before it returns, so that the last line of a dying process is not lost. */
export function createLogger({
  service,
  level = 'info',
  format = 'json',
  onLine,
  conceal = concealLine({}),
  destination,
}: LoggerOptions): Logger {
  const output =
    destination ?? (format === 'pretty' ? prettyStdout() : pino.destination({ fd: 1, sync: true }));
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: (_fields, levelNumber) => {
        onLine?.(pino.levels.labels[levelNumber] ?? 'other');
        return { ...workIds(), ...activeSpan() };
      },
      // They are made into plain fields by redactFields, whatever their name.
      serializers: { err: (shown: unknown) => shown },
      formatters: { level: (label) => ({ level: label }), log: redactFields },
    },
    // Messages are kept as they are, and a driver's may hold a whole URL.
    { write: (line: string) => output.write(conceal(line)) },
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
