import { channel } from 'node:diagnostics_channel';

/** Where lines go that an app's author wants to see in the log of its service; the engine has no console. */
export const LOG_LINES = 'skein:log';

export interface LogLine {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const lines = channel(LOG_LINES);

export function logLine(message: string, fields: LogLine['fields']): void {
  lines.publish({ message, fields } satisfies LogLine);
}
