import { createHash } from 'node:crypto';
import { type Submit } from '@skein/contracts';

/** What names the request is not part of the body; keys are sorted, because a retry may be written in another order. */
export function digestOf({
  idempotencyKey: _key,
  requestId: _id,
  isRepeat: _isRepeat,
  ...body
}: Submit): string {
  return createHash('sha256').update(sortedJson(body)).digest('base64url');
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
