import { format } from 'node:util';
import { followWork } from './log-context';
import { type Logger } from './logger';

const LEVELS = {
  debug: 'debug',
  trace: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
} as const;

/**
 * What an author's code writes to the console, and what Node has to warn of, become lines of the log: raw, each line break of
 * theirs would begin a line that no reader of the log understands. From the first one on they tell whose work they are of.
 * Holds until the process ends.
 */
export function logConsole(logger: Logger): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...said: unknown[]) => {
      logger[level]({ source: 'console' }, format(...said));
      followWork();
    };
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message));
}
