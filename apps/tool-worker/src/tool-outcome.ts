import { AdkError, type EventActions, type ToolOutcome } from '@skein/contracts';
import { cleanJson, createEventActions, describeError, MAX_RESULT_DEPTH } from '@skein/engine';

/** What one attempt of a call gave, ready for the wire. */
export interface ExecutedTool {
  readonly outcome: ToolOutcome;
  readonly actions: EventActions;
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
    refuseUnspeakable(value);
    const cleaned = { value: cleanJson(value ?? null, MAX_RESULT_DEPTH), actions: cleanActions(actions) };
    const sizeBytes = Buffer.byteLength(JSON.stringify(cleaned));
    if (sizeBytes > limitBytes) {
      const message = `Tool '${tool}' returned ${sizeBytes} bytes, above the limit of ${limitBytes} bytes.`;
      return planeError('tool.result-too-large', message);
    }
    return { outcome: { kind: 'result', value: cleaned.value }, actions: cleaned.actions };
  } catch (error) {
    const isTooDeep = AdkError.isInstance(error) && error.code === 'json.too-deep';
    const code = isTooDeep ? 'tool.too-deep' : 'tool.unserialisable';
    return planeError(code, `The result of tool '${tool}' cannot be stored: ${describeError(error)}`);
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

/** cleanJson reads these as nothing, as JSON does; a tool that returns one is mistaken and should hear so. */
function refuseUnspeakable(value: unknown): void {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new AdkError('invalid', 'json.no-form', `A ${typeof value} has no JSON form.`);
  }
}

function cleanActions(actions: EventActions): EventActions {
  return cleanJson(actions) as EventActions; // It keeps the shape of what it is given.
}

function errorOutcome(code: string, message: string): ToolOutcome {
  // It keeps the shape of what it is given, and makes the text storable.
  return cleanJson({ kind: 'error', code, message: message.slice(0, MAX_MESSAGE_LENGTH) }) as ToolOutcome;
}
