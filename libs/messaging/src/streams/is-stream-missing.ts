import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** Whether the server answered that a stream is not there. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}
