import { RowProblem } from '../session-source';
import { type Shape } from './event-shape';

/** The value with the keys of models in camelCase and without their nulls, as ADK's wire has them. */
export function toModelKeys(value: unknown, shape: Shape): unknown {
  if (shape === 'data' || value === null || value === undefined) return value;
  if (shape === 'bytes') return typeof value === 'string' ? toStandardBase64(value) : value;
  if (shape === 'model') {
    if (Array.isArray(value)) return value.map((item: unknown) => toModelKeys(item, 'model'));
    return isObject(value) ? renamed(value, () => 'model') : value;
  }
  if ('each' in shape) {
    return Array.isArray(value) ? value.map((item: unknown) => toModelKeys(item, shape.each)) : value;
  }
  if (!isObject(value)) return value;
  if ('values' in shape) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, toModelKeys(item, shape.values)]),
    );
  }
  const { fields } = shape;
  return renamed(value, (key) => (Object.hasOwn(fields, key) ? (fields[key] ?? 'data') : 'data'));
}

function renamed(value: object, shapeOf: (key: string) => Shape): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    if (item === null) continue;
    const key = toCamelCase(name);
    if (entries.has(key)) throw new RowProblem(`holds ${key} twice, under two spellings`);
    entries.set(key, toModelKeys(item, shapeOf(key)));
  }
  return Object.fromEntries(entries);
}

/** `type_` and `in_` are Python's way around its own words. */
function toCamelCase(key: string): string {
  return key
    .replace(/(?<=[a-z0-9])_([a-z0-9])/gi, (_, next: string) => next.toUpperCase())
    .replace(/(?<=[a-z0-9])_$/, '');
}

const URL_SAFE = /^[A-Za-z0-9_-]+={0,2}$/;

/** adk-python writes the URL-safe alphabet, most vendors read the other one alone. What is neither stays. */
function toStandardBase64(text: string): string {
  if (!URL_SAFE.test(text)) return text;
  const digits = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, '=');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
