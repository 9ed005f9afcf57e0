import { subjects, traceStepOf } from '@skein/contracts';
import { linksTo, type MessagingConnection, type Published, publishWork, WorkBody } from '@skein/messaging';
import { type UnsentCall } from '@skein/session-store';
import { callMessageId } from './call-message-id';

export interface PublishCallOptions {
  /** Its message, where that was made before. */
  readonly body?: WorkBody;
  /** Its ticket is the one it left with, or was to, while it was stored. */
  readonly isAhead?: boolean;
  readonly attempts?: number;
}

/** Puts a call into the queue of its pool; it has it when this settles. */
export function publishCall(
  connection: MessagingConnection,
  { message, traceparent, resultsLostAtMs }: UnsentCall,
  { body = new WorkBody(connection, message), isAhead, attempts }: PublishCallOptions = {},
): Promise<Published> {
  const { invocationId, call } = message;
  return publishWork(connection, subjects.tool(call.pool), body, {
    msgId: callMessageId(message, resultsLostAtMs, isAhead),
    ...(attempts !== undefined && { attempts }),
    links: linksTo(traceparent, traceStepOf(invocationId, call.dispatchId)),
  });
}
