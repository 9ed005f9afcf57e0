import { badDocument } from './document-parts';

/** What does no harm to tools, and is common. */
const HARMLESS = {
  'array-without-items': 'warning',
  'duplicate-operation-id': 'warning',
  'non-optional-path-parameters': 'warning',
  'path-parameters-not-in-path': 'warning',
} as const;

/**
 * Holds a document against OpenAPI's own schema and rules; rejects with `openapi.document`, which shows where it breaks
 * them. Nothing outside of the document is read.
 */
export async function validateDocument(document: object): Promise<void> {
  const { validate } = await import('@readme/openapi-parser');
  // A copy: it puts into the document what its references name.
  const copy = structuredClone(document) as Parameters<typeof validate>[0];
  const result = await validate(copy, {
    resolve: { external: false },
    dereference: { circular: 'ignore' },
    validate: { rules: { openapi: HARMLESS } },
  }).catch((thrown: unknown) => {
    throw badDocument(thrown instanceof Error ? thrown.message : 'it cannot be read.', thrown);
  });
  if (!result.valid) throw badDocument(result.errors.map(({ message }) => message).join('\n'));
}
