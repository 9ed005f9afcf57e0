/** A wrong command line, or a stack that is not there: one sentence for whoever typed it. */
export class UsageError extends Error {}
