const SECRET_FIELD =
  /authorization|cookie|passw|secret|credential|creds$|(api|access|private|signing)[-_]?key|(^|[-_a-z])token$/i;
const MAX_DEPTH = 6;
const USER_INFO = /(:\/\/)[^\s/@"\\]+@/g;

export const REDACTED = '[redacted]';

/** Whether the name of a field, or of a variable, tells that its value is a secret. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** Replaces the value of every field whose name tells that it is a secret. Errors are left to their serializer. */
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
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return redactMembers(value as Record<string, unknown>, depth); // A plain object, by the line above.
}
