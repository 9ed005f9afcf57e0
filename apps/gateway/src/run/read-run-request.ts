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
  if (request.newMessage === undefined && request.invocationId === undefined) {
    throw invalidRequest([
      { path: 'newMessage', message: 'is required unless invocationId names a run to resume' },
    ]);
  }
  if (request.onDisconnect === 'cancel') {
    // Accepting it and running on would be a lie to a client that pays for every token.
    throw new AdkError('invalid', 'run.cancel-unsupported', 'onDisconnect "cancel" is not supported yet');
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
