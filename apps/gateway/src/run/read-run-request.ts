import {
  AdkError,
  type Content,
  runAgentRequestSchema,
  runConfigSchema,
  submitSchema,
  type Submit,
} from '@skein/contracts';
import { checkMessage } from '@skein/engine';
import { z } from 'zod';
import { camelCaseRequest } from '../http/camel-case';
import { invalidRequest, parseRequest } from '../http/parse-request';
import { stateSchema } from '../http/state-schema';

/** A checked request of `/run` or `/run_sse`. */
export interface RunRequest {
  readonly submit: Submit;
  readonly wantsChunks: boolean;
}

const requestSchema = runAgentRequestSchema.extend({
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
  const { streaming, customMetadata, newMessage, onDisconnect: _checked, ...input } = request;
  return {
    submit: {
      ...input,
      newMessage: checkInput(newMessage, request.invocationId),
      runConfig: runConfigSchema.parse({ streamingMode: streaming ? 'sse' : 'none', customMetadata }),
      idempotencyKey: headers['Idempotency-Key'],
    },
    wantsChunks: streaming,
  };
}

/** Something has to be said, unless an invocation is told to go on with what it has (B54). */
function checkInput(newMessage: Content | undefined, invocationId: string | undefined): Content | undefined {
  if (newMessage !== undefined) return checkMessage(newMessage);
  if (invocationId !== undefined) return undefined;
  throw invalidRequest([{ path: 'newMessage', message: 'is required without an invocationId' }]);
}

/** What is not done yet is refused: a client told that it was accepted would wait, or pay, for what never comes. */
function refuseUnsupported({ onBusy, onDisconnect }: z.output<typeof requestSchema>): void {
  if (onDisconnect === 'cancel') {
    throw new AdkError('invalid', 'run.cancel-unsupported', 'onDisconnect "cancel" is not supported yet');
  }
  if (onBusy === 'interrupt') {
    throw new AdkError('invalid', 'run.interrupt-unsupported', 'onBusy "interrupt" is not supported yet');
  }
}
