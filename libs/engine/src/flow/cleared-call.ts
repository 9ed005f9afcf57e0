import { type EventActions, type StepRecord } from '@skein/contracts';
import { type Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { applyActions } from '../event/apply-actions';
import { type Frame } from '../journal/frame';
import { ChildJournal } from '../journal/child-journal';

type Dict = Record<string, unknown>;

/** What callbacks and checks made of a call before it went to its tool. */
interface ClearedCall {
  readonly args: Dict;
  /** What they did beside. */
  readonly actions: EventActions;
  /** Events of the segment that were in the log by then. */
  readonly after: number;
}

interface Place {
  /** Of the call: its round's, and its index in it. */
  readonly key: string;
  readonly frame: Frame;
  readonly signal: AbortSignal;
  /** The arguments the model gave it. */
  readonly asked: Dict;
}

/**
 * The arguments a call was sent with before a crash, with what callbacks did beside it done again: they are not asked a
 * second time, for they might say something else than what the tool is at work on. Nothing for a call that was not sent,
 * or that no callback looked at. Resolves when the call may begin.
 */
export function clearedBefore(
  context: InvocationContext,
  place: Place,
  toolContext: Context,
): Promise<Dict | undefined> | undefined {
  const { journal } = context.invocation;
  const beganAfter = ChildJournal.beganAfter(journal, place.frame);
  const record = journal.storedRecord('arguments', place.key);
  if (record || beganAfter !== undefined)
    return clearedThen(context, { ...place, record, beganAfter }, toolContext);
  return context.beginNew(place.signal)?.then(() => undefined);
}

interface Begun extends Place {
  readonly record: Readonly<StepRecord> | undefined;
  /** Events that were in the log when an agent began to run as this tool. */
  readonly beganAfter: number | undefined;
}

async function clearedThen(
  context: InvocationContext,
  { signal, asked, record, beganAfter }: Begun,
  toolContext: Context,
): Promise<Dict> {
  // One that failed ended its agent: it is not run a second time.
  await context.failures.rethrow(context.frame, signal);
  if (!record) {
    await context.replay.reach(beganAfter ?? 0, signal);
    // A run that began without a note was sent as it was asked for: callbacks are new since then.
    return structuredClone(asked);
  }
  // Staged below alone.
  const { args, actions, after } = structuredClone(record.payload) as ClearedCall;
  await context.replay.reach(after, signal);
  applyActions(toolContext.actions, actions);
  // Its tool may take long: agents beside it are to come to what is stored of them meanwhile.
  if (beganAfter === undefined) await context.replay.live(signal);
  return args;
}

/** Notes that a call passed its callbacks; before it is sent, so that it is stored with the call itself. */
export function noteCleared(
  context: InvocationContext,
  key: string,
  { args, actions }: Pick<ClearedCall, 'args' | 'actions'>,
): void {
  const payload: ClearedCall = { args, actions: structuredClone(actions), after: context.replay.position };
  context.invocation.journal.stageRecord({ stepKey: key, kind: 'arguments', payload });
}
