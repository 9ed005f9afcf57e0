import { AdkError, parseChecked } from '@skein/contracts';
import { type z } from 'zod';
import { cleanJson } from './clean-json';

/**
 * What code of an author's made, checked and storable. In another shape it would be refused by the store together with
 * all that shares its unit, so it is refused here, under the code given and with what is wrong.
 */
export function readAs<T>(
  schema: z.ZodType<T>,
  value: unknown,
  refusal: { readonly code: string; readonly what: string },
): T {
  const parsed = parseChecked(schema, cleanJson(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  const why = issue?.message ?? 'it has another shape';
  throw new AdkError('invalid', refusal.code, `${refusal.what} cannot be used${where}: ${why}.`);
}
