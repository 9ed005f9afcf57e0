import type { WireEvent } from './wire-event';

/** A call somebody outside has to answer, and the event that holds it. */
export interface OpenCall {
  readonly eventId: string;
  readonly author: string;
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The long-running calls among these events that nothing after them answers, in order. */
export function openCalls(events: readonly WireEvent[]): readonly OpenCall[] {
  let open: OpenCall[] = [];
  for (const event of events.filter(({ partial }) => partial !== true)) {
    const answered = idsAnsweredBy(event);
    open = [...open.filter(({ id }) => !answered.includes(id)), ...callsOf(event)];
    const { rewindBeforeInvocationId } = event.actions ?? {};
    if (rewindBeforeInvocationId !== undefined) {
      const kept = idsBefore(rewindBeforeInvocationId, events);
      open = open.filter(({ eventId }) => kept.has(eventId));
    }
  }
  return open;
}

function callsOf({ id: eventId = '', author = '', content, longRunningToolIds = [] }: WireEvent): OpenCall[] {
  return (content?.parts ?? []).flatMap(({ functionCall: call }) => {
    if (call?.id === undefined || !longRunningToolIds.includes(call.id)) return [];
    return [{ eventId, author, id: call.id, name: call.name ?? '?', args: asRecord(call.args) }];
  });
}

function idsAnsweredBy({ content }: WireEvent): string[] {
  return (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse?.id ?? []);
}

/** A call that was taken back is nobody's any more. */
function idsBefore(invocationId: string, events: readonly WireEvent[]): ReadonlySet<string | undefined> {
  const first = events.findIndex((event) => event.invocationId === invocationId);
  return new Set(events.slice(0, Math.max(0, first)).map(({ id }) => id));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Checked here; JSON knows no other objects.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
