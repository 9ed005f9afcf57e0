import { AdkError, type Part } from '@skein/contracts';
import { type LoadArtifact } from './artifact-service';
import { referenceIn } from './artifact-uri';

const MAX_REFERENCES = 8;

/**
 * Loads an artifact as every service answers it (B60): a reference is followed, within its app and user, and an empty
 * part is none.
 */
export async function resolveArtifact(
  request: LoadArtifact,
  read: (request: LoadArtifact) => Promise<Part | undefined>,
): Promise<Part | undefined> {
  let wanted = request;
  for (let followed = 0; followed <= MAX_REFERENCES; followed++) {
    const part = await read(wanted);
    if (!part || isEmptyPart(part)) return undefined;
    const reference = referenceIn(part, request);
    if (!reference) return part;
    wanted = reference;
  }
  throw new AdkError(
    'invalid',
    'artifact.reference',
    'This artifact refers to itself, or by too many others.',
  );
}

/** Whether there is nothing in a part: what a rewind leaves of an artifact that was made later (B55). */
export function isEmptyPart({ text, inlineData, ...others }: Part): boolean {
  return (
    !text &&
    !inlineData?.data &&
    Object.values(others).every((value) => value === undefined || value === null)
  );
}
