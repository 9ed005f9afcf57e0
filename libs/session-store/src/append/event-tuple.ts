import { type AppendUnit } from '@skein/contracts';
import { toEventParts } from '../event-row';

/**
 * An event as `skein_append_units` takes it: by place, which the server finds sooner than a name, and by name only what few
 * events have. What an event shares with its chain, or with nearly every event there is, is null and is known there.
 */
type EventTuple = readonly [
  chain: number,
  /** From 1, among the events of the chain. */
  n: number,
  id: string,
  stepKey: string,
  stepHash: string | null,
  /** Null: the chain's. */
  invocationId: string | null,
  author: string,
  seconds: number,
  content: unknown,
  /** Null: none. */
  actions: unknown,
  others: object | null,
];

/** The events of the chain `number`, a run of `runId`, in their order. */
export function toEventTuples(number: number, runId: string, events: AppendUnit['events']): EventTuple[] {
  return events.map(({ stepKey, hash = null, event }, index) => {
    const { seconds, content, actions, others } = toEventParts(event);
    return [
      number,
      index + 1,
      event.id,
      stepKey,
      hash,
      event.invocationId === runId ? null : event.invocationId,
      event.author,
      seconds,
      content,
      isNone(actions) ? null : actions,
      others,
    ];
  });
}

const FIELDS_OF_NONE = ['stateDelta', 'artifactDelta', 'requestedAuthConfigs', 'requestedToolConfirmations'];

/** Whether it is `actions` as an event is made with. */
function isNone(actions: object): boolean {
  const fields = Object.keys(actions);
  if (fields.length !== FIELDS_OF_NONE.length) return false;
  const values = actions as Readonly<Record<string, unknown>>;
  return FIELDS_OF_NONE.every((field) => isEmptyRecord(values[field]));
}

function isEmptyRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _key in value) return false;
  return true;
}
