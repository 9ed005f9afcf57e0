import type { LoggerService } from '@nestjs/common';
import { type Logger } from './logger';

/** Sends Nest's own lines through our log. Its greetings at start are for a debugger, not for an operator. */
export function nestLogger(logger: Logger): LoggerService {
  return {
    log: (message: unknown, ...rest: unknown[]) => logger.debug(contextOf(rest), textOf(message)),
    debug: (message: unknown, ...rest: unknown[]) => logger.debug(contextOf(rest), textOf(message)),
    verbose: (message: unknown, ...rest: unknown[]) => logger.debug(contextOf(rest), textOf(message)),
    warn: (message: unknown, ...rest: unknown[]) => logger.warn(contextOf(rest), textOf(message)),
    error: (message: unknown, ...rest: unknown[]) =>
      logger.error(errorFields(message, rest), textOf(message)),
    fatal: (message: unknown, ...rest: unknown[]) =>
      logger.error(errorFields(message, rest), textOf(message)),
  };
}

/** Nest gives the name of the speaking class last. */
function contextOf(rest: readonly unknown[]): object {
  const context = rest.at(-1);
  return typeof context === 'string' ? { context } : {};
}

/** Nest gives an error as the message, or its stack as the second argument. */
function errorFields(message: unknown, rest: readonly unknown[]): object {
  const context = contextOf(rest.length > 1 ? rest : []);
  if (message instanceof Error) return { ...contextOf(rest), err: message };
  return typeof rest[0] === 'string' ? { ...context, stack: rest[0] } : context;
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : JSON.stringify(message);
}
