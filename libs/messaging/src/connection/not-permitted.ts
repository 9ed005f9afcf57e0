import { errors } from '@nats-io/transport-node';
import { AdkError } from '@skein/contracts';

/** Whether the server refused it to this user: asking again would end the same. */
export function isNotPermitted(thrown: unknown): boolean {
  if (thrown instanceof errors.PermissionViolationError) return true;
  // The client wraps it.
  return thrown instanceof Error && thrown.cause !== undefined && isNotPermitted(thrown.cause);
}

export function notPermitted(subject: string, cause: unknown): AdkError {
  return new AdkError('internal', 'nats.not-permitted', `NATS does not permit this user ${subject}`, {
    cause,
  });
}
