/** What was thrown, as text: anything can be thrown, also what throws again when it is looked at. */
export function describeError(thrown: unknown): string {
  try {
    if (isError(thrown)) return thrown.message || thrown.name;
    return String(thrown);
  } catch {
    return 'something that has no text was thrown';
  }
}

/** What was thrown, as an Error whose name and message can be read. */
export function asError(thrown: unknown): Error {
  return isError(thrown) && isReadable(thrown) ? thrown : new Error(describeError(thrown));
}

/** Also one of another realm, which `instanceof` does not know: agent files may be loaded into a context of their own. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]';
}

function isReadable(error: Error): boolean {
  try {
    return typeof error.name === 'string' && typeof error.message === 'string';
  } catch {
    return false;
  }
}
