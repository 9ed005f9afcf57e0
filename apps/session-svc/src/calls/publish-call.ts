import { subjects, traceStepOf } from '@skein/contracts';
import { linksTo, type MessagingConnection, type Published, publishWork, WorkBody } from '@skein/messaging';
import { type UnsentCall } from '@skein/session-store';
import { callMessageId } from './call-message-id';

export interface PublishCallOptions {
  /** Its message, where that was made before. */
  readonly body?: WorkBody;
  /** It leaves while it is stored. */
  readonly isAhead?: boolean;
}

/** Puts a call into the queue of its pool; it has it when this settles. */
export function publishCall(
  connection: MessagingConnection,
  { message, traceparent, resultsLostAtMs }: UnsentCall,
  { body = new WorkBody(connection, message), isAhead }: PublishCallOptions = {},
): Promise<Published> {
  const { invocationId, call } = message;
  return publishWork(connection, subjects.tool(call.pool), body, {
    msgId: callMessageId(message, resultsLostAtMs, isAhead),
    // Once it is stored it is sent as any other.
    ...(isAhead && { attempts: 1 }),
    links: linksTo(traceparent, traceStepOf(invocationId, call.dispatchId)),
  });
}
