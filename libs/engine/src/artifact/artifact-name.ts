import { AdkError } from '@skein/contracts';

const MAX_NAME_BYTES = 1024;
// eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Throws `artifact.name` for a name that could lead out of its folder or that no store takes. Names may hold `/`, but
 * every piece between has to be a name: not empty, not `.` or `..`.
 */
export function assertArtifactName(filename: string): void {
  const pieces = filename.replace(/^user:/, '').split(/[/\\]/);
  const isSafe =
    pieces.every((piece) => piece !== '' && piece !== '.' && piece !== '..') &&
    !CONTROL_CHARACTER.test(filename) &&
    filename.isWellFormed() &&
    Buffer.byteLength(filename) <= MAX_NAME_BYTES;
  if (!isSafe) {
    throw new AdkError(
      'invalid',
      'artifact.name',
      `Not a name for an artifact: ${JSON.stringify(filename)}.`,
    );
  }
}
