import { channel } from 'node:diagnostics_channel';

/** What the engine has to tell an operator and no event can hold; a service logs what comes here. */
export const WARNINGS = 'skein:warning';

export interface Warning {
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const warnings = channel(WARNINGS);

export function warn(message: string, fields: Warning['fields']): void {
  warnings.publish({ message, fields } satisfies Warning);
}
