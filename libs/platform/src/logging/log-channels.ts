import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { followWork } from './log-context';
import { type Logger } from './logger';

/** The engine's channels, by their names: it knows no logger, and this lib does not know the engine. */
const LEVELS = { 'skein:warning': 'warn', 'skein:log': 'info' } as const;

/** Logs what the engine, and authors through its plugins, have to tell, until the answered function is called. */
export function subscribeWarnings(logger: Logger): () => void {
  const log = (line: unknown, channel: string | symbol): void => {
    const level = Object.hasOwn(LEVELS, channel) ? LEVELS[channel as keyof typeof LEVELS] : undefined;
    // An agents folder may bring an engine of its own, of another version.
    if (!level || !isLine(line)) return;
    logger[level](line.fields, line.message);
    followWork();
  };
  const names = Object.keys(LEVELS);
  for (const name of names) subscribe(name, log);
  return () => {
    for (const name of names) unsubscribe(name, log);
  };
}

function isLine(line: unknown): line is { readonly message: string; readonly fields: object } {
  if (typeof line !== 'object' || line === null || !('message' in line) || !('fields' in line)) return false;
  return typeof line.message === 'string' && typeof line.fields === 'object' && line.fields !== null;
}
