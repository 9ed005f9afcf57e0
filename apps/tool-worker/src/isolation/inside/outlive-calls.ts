import { type Logger } from '@skein/platform';
import { describeError } from '@skein/engine';
import { RunningCall } from './running-call';

/**
 * What a tool throws or ends outside of its promise harms its own call: what a call that is over left behind is logged, and
 * leaves the next one alone. A promise nobody awaits ends nothing, as where tools run inline.
 */
export function outliveCalls(logger: Logger, crash: (message: string) => void): void {
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    const call = RunningCall.current;
    logger.error({ err: error }, 'uncaught exception');
    if (!call?.isOver) crash(describeError(error));
  });
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    if (RunningCall.current?.isOver) throw new Error('process.exit was called by a call that is over.');
    return exit(code);
  };
}
