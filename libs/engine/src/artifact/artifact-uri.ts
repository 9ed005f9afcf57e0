import { AdkError, type Part } from '@skein/contracts';
import { type ArtifactName } from './artifact-service';

/** One version of one artifact. */
export interface ArtifactReference extends ArtifactName {
  readonly version: number;
}

const SCHEME = 'artifact://';
const USER_PREFIX = 'user:';
const URI =
  /^artifact:\/\/apps\/([^/]+)\/users\/([^/]+)\/(?:sessions\/([^/]+)\/)?artifacts\/(.+)\/versions\/(\d{1,9})$/;

/** The address of a version, for a part's `fileData.fileUri` (B60). Ids are percent-encoded, a name's `/` stays. */
export function artifactUri({ appName, userId, sessionId, filename, version }: ArtifactReference): string {
  const [app, user, session] = [appName, userId, sessionId].map(encodeURIComponent);
  const name = filename
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%3A', ':'))
    .join('/');
  const scope = filename.startsWith(USER_PREFIX) ? '' : `/sessions/${session}`;
  return `${SCHEME}apps/${app}/users/${user}${scope}/artifacts/${name}/versions/${version}`;
}

/**
 * What a part refers to, when it is a reference to another artifact (B60). Rejects one that leads nowhere, and one to
 * what belongs to another app or user, with `artifact.reference`.
 */
export function referenceIn(
  part: Part,
  { appName, userId, sessionId }: ArtifactName,
): ArtifactReference | undefined {
  const uri = part.fileData?.fileUri;
  if (!uri?.startsWith(SCHEME)) return undefined;
  const reference = parseArtifactUri(uri);
  if (!reference) throw refused('invalid', 'is malformed');
  if (reference.appName !== appName || reference.userId !== userId) {
    throw refused('denied', 'leads to another app or user');
  }
  // What belongs to a user can be read in any session of his.
  return { ...reference, sessionId: reference.sessionId || sessionId };
}

function parseArtifactUri(uri: string): ArtifactReference | undefined {
  const match = URI.exec(uri);
  if (!match) return undefined;
  try {
    const [appName = '', userId = '', sessionId = '', filename = ''] = match
      .slice(1, 5)
      .map((piece: string | undefined) => decodeURIComponent(piece ?? ''));
    // Only what belongs to a user has an address without a session.
    if ((sessionId === '') !== filename.startsWith(USER_PREFIX)) return undefined;
    return { appName, userId, sessionId, filename, version: Number(match[5]) };
  } catch {
    return undefined;
  }
}

function refused(kind: 'invalid' | 'denied', problem: string): AdkError {
  return new AdkError(kind, 'artifact.reference', `This reference to an artifact ${problem}.`);
}
