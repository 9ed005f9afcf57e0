import {
  MAX_JSON_VALUES,
  MAX_RESULT_DEPTH,
  type ToolResultMessage,
  toolResultMessageSchema,
  unstorablePart,
} from '@skein/contracts';
import { type Logger, workIdsOf } from '@skein/platform';
import { type z } from 'zod';
import { NO_ACTIONS } from './ended-calls';

/** Whose result it is, by a ticket that is still to be looked at. */
const headSchema = toolResultMessageSchema.pick({
  appName: true,
  userId: true,
  sessionId: true,
  invocationId: true,
  tool: true,
  ticket: true,
});

const MAX_REASON_LENGTH = 500;

const broken = {
  'too-deep': { code: 'tool.too-deep', why: `It is nested deeper than ${MAX_RESULT_DEPTH} levels.` },
  'too-many': { code: 'tool.unserialisable', why: `It holds more than ${MAX_JSON_VALUES} values.` },
};

/**
 * What a result counts as that is refused as it was sent: the end of its call, for nobody would send another before the
 * deadline. Nothing where it cannot be read whose it is. Its ticket is looked at as that of any result, so nobody ends a call
 * by this who could not answer it.
 */
export function salvageResult(refused: unknown, logger: Logger): ToolResultMessage | undefined {
  const { data: whole, error } = toolResultMessageSchema.safeParse(refused);
  // What was cut off was no field of it, or lies so deep that it is told of as such.
  if (whole) return whole;
  const { data: head } = headSchema.safeParse(refused);
  if (!head) return undefined;
  const { tool, ticket } = head;
  const why = error.issues.map(placeAndReason).join('; ').slice(0, MAX_REASON_LENGTH);
  logger.warn({ ...workIdsOf(head), dispatchId: ticket.dispatchId, tool, why }, 'result is not of its shape');
  const message = `What '${tool}' answered cannot be read: ${why}`;
  return { ...head, ...failure('tool.bad-result', message), execution: executionOf(refused, ticket) };
}

/** A result itself, or as the failure that it is where no event could hold what the tool gave. */
export function storableOf(result: ToolResultMessage): ToolResultMessage {
  const unstorable = unstorablePart(result);
  if (!unstorable) return result;
  const { code, why } = broken[unstorable.bound];
  const message = `The ${unstorable.part} of tool '${result.tool}' cannot be stored: ${why}`;
  return { ...result, ...failure(code, message) };
}

function failure(code: string, message: string): Pick<ToolResultMessage, 'outcome' | 'actions'> {
  return { outcome: { kind: 'error', code, message }, actions: NO_ACTIONS };
}

function placeAndReason({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${message} at ${path.join('.')}`;
}

/** Which process it was, if it says so. */
function executionOf(refused: unknown, { attempt }: ToolResultMessage['ticket']) {
  const { data } = toolResultMessageSchema.pick({ execution: true }).safeParse(refused);
  return data?.execution ?? { worker: 'unknown', pid: 0, attempt, durationMs: 0 };
}
