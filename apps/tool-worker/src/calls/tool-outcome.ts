import { AdkError, type EventActions, type ToolOutcome } from '@skein/contracts';
import { cleanJson, createEventActions, describeError, storableActions, storableResult } from '@skein/engine';

/** What one attempt of a call gave, ready for the wire. */
export interface ExecutedTool {
  readonly outcome: ToolOutcome;
  readonly actions: EventActions;
  /** Another attempt may go better; whether there is one, and when, session-svc decides. */
  readonly retry?: { readonly afterMs?: number };
}

const MAX_MESSAGE_LENGTH = 4_096;

/** A failure of the plane: the tool has no part in it, so nothing it did counts. */
export function planeError(code: string, message: string): ExecutedTool {
  return { outcome: errorOutcome(code, message), actions: createEventActions() };
}

/** What a tool returned, made storable; or why it cannot be, as a sentence for the model. */
export function resultOf(
  tool: string,
  value: unknown,
  actions: EventActions,
  limitBytes: number,
): ExecutedTool {
  try {
    const cleaned = { value: storableResult(tool, value), actions: storableActions(tool, actions) };
    const sizeBytes = Buffer.byteLength(JSON.stringify(cleaned));
    if (sizeBytes > limitBytes) {
      const message = `Tool '${tool}' returned ${sizeBytes} bytes, above the limit of ${limitBytes} bytes.`;
      return planeError('tool.result-too-large', message);
    }
    return { outcome: { kind: 'result', value: cleaned.value }, actions: cleaned.actions };
  } catch (error) {
    const code = AdkError.isInstance(error) ? error.code : 'tool.unserialisable';
    return planeError(code, describeError(error));
  }
}

/** What a tool threw; what it had changed before counts, as it does when it runs in the runner. */
export function thrownOf(
  tool: string,
  error: unknown,
  actions: EventActions,
  limitBytes: number,
): ExecutedTool {
  const done = resultOf(tool, null, actions, limitBytes);
  return done.outcome.kind === 'error'
    ? done
    : { ...done, outcome: errorOutcome('tool.threw', describeError(error)) };
}

function errorOutcome(code: string, message: string): ToolOutcome {
  // It keeps the shape of what it is given, and makes the text storable.
  return cleanJson({ kind: 'error', code, message: message.slice(0, MAX_MESSAGE_LENGTH) }) as ToolOutcome;
}
