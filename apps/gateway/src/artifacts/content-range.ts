import type { IncomingHttpHeaders } from 'node:http';
import type { ArtifactVersion } from '@skein/contracts';

const RANGE = /^bytes=(\d{0,30})-(\d{0,30})$/i;

/** The bytes from `start` to `end`, both included. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
}

/** Whether the client has these bytes already. */
export function isUnchanged({ 'if-none-match': tags }: IncomingHttpHeaders, sha256: string): boolean {
  if (tags === undefined) return false;
  return tags.split(',').some((tag) => ['*', `"${sha256}"`, `W/"${sha256}"`].includes(tag.trim()));
}

/**
 * Which bytes are asked for: all of them, a range, or a range that there is not. What is no single range is asked for as a
 * whole, as HTTP has it, and so is a range of other content than there is (`If-Range`).
 */
export function rangeOf(
  { range, 'if-range': condition }: IncomingHttpHeaders,
  { sizeBytes, sha256 }: Pick<ArtifactVersion, 'sizeBytes' | 'sha256'>,
): ContentRange | 'none' | undefined {
  const [, from = '', to = ''] = RANGE.exec(range ?? '') ?? [];
  if ((from === '' && to === '') || (condition !== undefined && condition !== `"${sha256}"`))
    return undefined;
  const last = sizeBytes - 1;
  // Without a beginning it is so many bytes of the end.
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? last : Math.min(Number(to), last);
  if (from !== '' && to !== '' && Number(to) < start) return undefined;
  return start > last ? 'none' : { start, end };
}
