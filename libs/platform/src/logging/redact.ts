import { stdSerializers } from 'pino';

const SECRET_FIELD =
  /authorization|cookie|passw|secret|credential|creds$|(api|access|private|signing)[-_]?key|(^|[-_a-z])token$/i;
const MAX_DEPTH = 6;
const USER_INFO = /(:\/\/)[^\s/@"\\]+@/g;

export const REDACTED = '[redacted]';

/** Whether the name of a field, or of a variable, tells that its value is a secret. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** Replaces the value of every field whose name tells that it is a secret, also of those a client put on its errors. */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactMembers(fields, 0);
}

/** A URL that may be shown: `nats://ann:pw@host` becomes `nats://***@host`. Works in any text. */
export function withoutPassword(text: string): string {
  return text.includes('://') ? text.replace(USER_INFO, '$1***@') : text;
}

function redactMembers(value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    shown[name] = isSecretField(name) && member !== undefined ? REDACTED : redactValue(member, depth + 1);
  }
  return shown;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return redactMembers(shownError(value), depth);
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return shownInstance(value);
  return redactMembers(value as Record<string, unknown>, depth); // A plain object, by the line above.
}

/** With `type`, `message` and `stack`, those of its causes included, and what else is on it. */
function shownError(error: Error): Readonly<Record<string, unknown>> {
  const { aggregateErrors: _serialized, ...shown } = stdSerializers.err(error);
  return error instanceof AggregateError ? { ...shown, errors: error.errors as unknown } : shown;
}

/** A client's error may hold its request, and with that its sockets and the headers it sent: of those the name will do. */
function shownInstance(value: object): unknown {
  return 'toJSON' in value ? value : `[${value.constructor.name}]`;
}
