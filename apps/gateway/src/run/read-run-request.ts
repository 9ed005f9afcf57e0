import {
  AdkError,
  runAgentRequestSchema,
  runConfigSchema,
  submitSchema,
  type Submit,
} from '@skein/contracts';
import { z } from 'zod';
import { camelCaseRequest } from '../http/camel-case';
import { invalidRequest, parseRequest } from '../http/parse-request';
import { stateSchema } from '../http/state-schema';
import { userMessageSchema } from './user-message';

/** A checked request of `/run` or `/run_sse`. */
export interface RunRequest {
  readonly submit: Submit;
  readonly wantsChunks: boolean;
}

const requestSchema = runAgentRequestSchema.extend({
  newMessage: userMessageSchema.optional(),
  stateDelta: stateSchema.optional(),
  invocationId: z.string().min(1).max(256).optional(),
  functionCallEventId: z.string().min(1).max(256).optional(),
});

const headerSchema = z.object({ 'Idempotency-Key': submitSchema.shape.idempotencyKey });

/** Turns a request into the input to store; everything wrong with it is found here, before anything is stored. */
export function readRunRequest(body: unknown, idempotencyKey: string | undefined): RunRequest {
  const request = parseRequest(requestSchema, camelCaseRequest(body));
  const headers = parseRequest(headerSchema, { 'Idempotency-Key': idempotencyKey });
  refuseUnsupported(request);
  if (request.newMessage === undefined) {
    throw invalidRequest([{ path: 'newMessage', message: 'is required' }]);
  }
  const { streaming, customMetadata, onDisconnect: _checked, ...input } = request;
  return {
    submit: {
      ...input,
      runConfig: runConfigSchema.parse({ streamingMode: streaming ? 'sse' : 'none', customMetadata }),
      idempotencyKey: headers['Idempotency-Key'],
    },
    wantsChunks: streaming,
  };
}

/** What is not done yet is refused: a client told that it was accepted would wait, or pay, for what never comes. */
function refuseUnsupported({ onBusy, onDisconnect, invocationId }: z.output<typeof requestSchema>): void {
  if (onDisconnect === 'cancel') {
    throw new AdkError('invalid', 'run.cancel-unsupported', 'onDisconnect "cancel" is not supported yet');
  }
  if (onBusy === 'interrupt') {
    throw new AdkError('invalid', 'run.interrupt-unsupported', 'onBusy "interrupt" is not supported yet');
  }
  // Answers to tool calls are taken without it, as the message of a new invocation.
  if (invocationId !== undefined) {
    throw new AdkError('invalid', 'run.resume-unsupported', 'Resuming an invocation is not supported yet');
  }
}
