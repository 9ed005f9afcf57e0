import { AdkError, type Submit } from '@skein/contracts';

/** What skein_submit answers when it stored nothing. */
export type SubmitRefusal = keyof typeof refusals;

interface SubmitAnswer {
  readonly outcome: string;
  /** Of what the refusal speaks: ids, or nothing. */
  readonly detail: string | null;
}

export function isRefused<Row extends SubmitAnswer>(row: Row): row is Row & { outcome: SubmitRefusal } {
  return Object.hasOwn(refusals, row.outcome);
}

export function refusalOf(submit: Submit, row: SubmitAnswer & { readonly outcome: SubmitRefusal }): AdkError {
  return refusals[row.outcome](submit, row.detail ?? '');
}

const refusals = {
  'no-session': ({ sessionId }) =>
    new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`),
  busy: ({ sessionId }) => new AdkError('conflict', 'session.busy', `Session is busy: ${sessionId}`),
  mismatch: () =>
    new AdkError(
      'invalid',
      'submit.idempotency-mismatch',
      'This idempotency key was used before with another request.',
    ),
  'unknown-key': () =>
    new AdkError(
      'not_found',
      'submit.unknown-key',
      'Nothing was submitted to this session under this idempotency key, so there is nothing to take up again.',
    ),
  unmatched: (_, callIds) =>
    new AdkError(
      'invalid',
      'message.unmatched-response',
      `Function call not found for function response ids: ${callIds}. Each must have the id and the name of a call in the session.`,
    ),
  ambiguous: (_, invocationIds) =>
    new AdkError(
      'invalid',
      'message.ambiguous-responses',
      `Function responses of one message must answer calls of one invocation, not of: ${invocationIds}.`,
    ),
  decided: (_, callIds) =>
    new AdkError(
      'conflict',
      'message.already-answered',
      `This question was answered before, and the first answer holds: ${callIds}`,
    ),
  'no-invocation': ({ invocationId }) =>
    new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`),
  'invocation-busy': ({ invocationId }) =>
    new AdkError('conflict', 'invocation.busy', `Invocation is still under way: ${invocationId}`),
  cancelled: (_, invocationId) =>
    new AdkError('conflict', 'invocation.cancelled', `Invocation was cancelled: ${invocationId}`),
} satisfies Record<string, (submit: Submit, detail: string) => AdkError>;
