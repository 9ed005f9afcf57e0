import { AdkError } from '@skein/contracts';

const MAX_NAME_BYTES = 1_024;
const USER_PREFIX = 'user:';
// eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Refuses a filename that would lead out of a folder, were somebody to unpack artifacts into one (B60). A `/` inside is
 * a name with folders, which is fine; in our own stores a name is never a path.
 */
export function assertArtifactName(filename: string): void {
  const problem = problemOf(filename);
  if (problem) throw new AdkError('invalid', 'artifact.name', `An artifact's filename ${problem}.`);
}

function problemOf(filename: string): string | undefined {
  const name = filename.startsWith(USER_PREFIX) ? filename.slice(USER_PREFIX.length) : filename;
  const segments = name.split('/');
  if (name === '') return 'must not be empty';
  if (Buffer.byteLength(filename) > MAX_NAME_BYTES) return `must not be longer than ${MAX_NAME_BYTES} bytes`;
  if (!filename.isWellFormed()) return 'must be well-formed Unicode';
  if (CONTROL_CHARACTER.test(filename)) return 'must not hold control characters';
  if (name.includes('\\')) return 'must not hold a backslash';
  if (/^[a-zA-Z]:/.test(name)) return 'must not begin with a drive letter';
  if (name.startsWith('/')) return 'must not begin with a slash';
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return 'must not hold empty, "." or ".." segments';
  }
  return undefined;
}
