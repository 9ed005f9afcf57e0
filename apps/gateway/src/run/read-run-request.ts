import { randomUUID } from 'node:crypto';
import { AdkError, type Content, runAgentRequestSchema, submitSchema, type Submit } from '@skein/contracts';
import { checkMessage } from '@skein/engine';
import { z } from 'zod';
import { camelCaseRequest } from '../http/camel-case';
import { invalidRequest, parseRequest } from '../http/parse-request';
import { stateSchema } from '../http/state-schema';
import { readPosition } from './stream-position';

/** A checked request of `/run` or `/run_sse`. */
export interface RunRequest {
  readonly submit: Submit;
  readonly wantsChunks: boolean;
  /** Nobody wants the run once its client is gone. */
  readonly endsWithClient: boolean;
  /** The client takes its stream up again behind the event of this id. */
  readonly lastSeen?: number | undefined;
}

interface RunHeaders {
  readonly idempotencyKey: string | undefined;
  readonly lastEventId?: string | undefined;
}

const requestSchema = runAgentRequestSchema.extend({
  stateDelta: stateSchema.optional(),
  invocationId: z.string().min(1).max(256).optional(),
  functionCallEventId: z.string().min(1).max(256).optional(),
});

const headerSchema = z.object({ 'Idempotency-Key': submitSchema.shape.idempotencyKey });

/** Turns a request into the input to store; everything wrong with it is found here, before anything is stored. */
export function readRunRequest(body: unknown, { idempotencyKey, lastEventId }: RunHeaders): RunRequest {
  const request = parseRequest(requestSchema, camelCaseRequest(body));
  if (idempotencyKey !== undefined) parseRequest(headerSchema, { 'Idempotency-Key': idempotencyKey });
  const lastSeen = readPosition(lastEventId, undefined);
  if (lastSeen !== undefined && idempotencyKey === undefined) throw needsKey();
  const { streaming, customMetadata, newMessage, onDisconnect, ...input } = request;
  return {
    submit: {
      // Own fields first: V8 makes a hidden class for each object that begins with a spread.
      newMessage: checkInput(newMessage, request.invocationId),
      runConfig: { streamingMode: streaming ? 'sse' : 'none', customMetadata },
      idempotencyKey,
      requestId: randomUUID(),
      isRepeat: lastSeen === undefined ? undefined : true,
      ...input,
    },
    wantsChunks: streaming,
    endsWithClient: onDisconnect === 'cancel',
    lastSeen,
  };
}

/** Clients of event streams send their request again by themselves: without a key it would be a second message. */
function needsKey(): AdkError {
  return new AdkError(
    'invalid',
    'run.resume-without-key',
    'Last-Event-ID takes a run up again only together with the Idempotency-Key it was sent with; without one, use GET …/invocations/{id}/events',
  );
}

/** Something has to be said, unless an invocation is told to go on with what it has (B54). */
function checkInput(newMessage: Content | undefined, invocationId: string | undefined): Content | undefined {
  if (newMessage !== undefined) return checkMessage(newMessage);
  if (invocationId !== undefined) return undefined;
  throw invalidRequest([{ path: 'newMessage', message: 'is required without an invocationId' }]);
}
