import { cleanJson } from '@skein/engine';

const IDS = /(?:adk-|e-|p-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENTS = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** When something happened, and which process did it. */
const LEFT_OUT = new Set(['timestamp', 'startTimestamp', 'endTimestamp', 'skein.tools']);

/** A value without what may differ from run to run: ids by their order, no times, no process that ran a tool. */
export function normalForm<T>(value: T): T {
  const order = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = order.get(id) ?? `#${order.size}`;
    order.set(id, name);
    return name;
  };
  // Each object in one order of keys, since ids are counted as they come.
  const text = JSON.stringify(cleanJson(JSON.parse(JSON.stringify(value, keepOrLeaveOut)), 64))
    .replace(MOMENTS, '<moment>')
    .replace(IDS, nameOf);
  // It has the shape of what it was made of.
  return JSON.parse(text) as T;
}

function keepOrLeaveOut(key: string, value: unknown): unknown {
  if (LEFT_OUT.has(key)) return undefined;
  // Metadata that held nothing else is none.
  const isEmptied =
    key === 'customMetadata' && isRecord(value) && Object.keys(value).every((name) => LEFT_OUT.has(name));
  return isEmptied ? undefined : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
