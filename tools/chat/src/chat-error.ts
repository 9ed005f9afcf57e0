/** A problem the user can understand and answer: its sentence is all that is shown. */
export class ChatError extends Error {}
