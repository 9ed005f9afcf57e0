/** A problem the user can understand and answer: its sentence is all that is shown. */
export class ChatError extends Error {}

/** One that may pass: what was asked is asked again, after as long as the server says. */
export class PassingError extends ChatError {
  constructor(
    message: string,
    options?: ErrorOptions,
    readonly retryAfterMs?: number,
  ) {
    super(message, options);
  }
}
