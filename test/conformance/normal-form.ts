import { type Event } from '@skein/contracts';
import { cleanJson } from '@skein/engine';

/** Events without what may differ from run to run: ids by their order, no times, no process that ran a tool. */
export function normalForm(events: readonly Event[]): unknown {
  const order = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = order.get(id) ?? `#${order.size}`;
    order.set(id, name);
    return name;
  };
  const plain = events.map(({ timestamp: _timestamp, customMetadata, ...event }) => ({
    ...event,
    ...withoutExecutions(customMetadata),
  }));
  // In one order of keys, since ids are counted as they come.
  const text = JSON.stringify(cleanJson(plain)).replace(
    /(?:adk-|e-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    nameOf,
  );
  return JSON.parse(text);
}

function withoutExecutions(metadata: Event['customMetadata']): Pick<Event, 'customMetadata'> {
  const { 'skein.tools': _executions, ...others } = metadata ?? {};
  return Object.keys(others).length > 0 ? { customMetadata: others } : {};
}
