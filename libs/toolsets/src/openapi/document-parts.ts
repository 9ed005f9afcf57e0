import { AdkError } from '@skein/contracts';
import { z } from 'zod';

/*
 * What of an OpenAPI document tools are made of. Anything else in a document is left alone, and so is what a part has
 * beside these fields.
 */

/** A schema as a document has it: JSON Schema for 3.1, its dialect for 3.0; `true` takes anything. */
export type DocumentSchema = boolean | Readonly<Record<string, unknown>>;

const record = z.record(z.string(), z.unknown());
const schema = z.union([z.boolean(), record]);

export const mediaTypeSchema = z.looseObject({ schema: schema.optional() });

export const parameterSchema = z.looseObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  description: z.string().optional(),
  required: z.boolean().optional(),
  schema: schema.optional(),
  content: z.record(z.string(), mediaTypeSchema).optional(),
  style: z.string().optional(),
  explode: z.boolean().optional(),
  allowReserved: z.boolean().optional(),
});
export type Parameter = z.output<typeof parameterSchema>;

export const requestBodySchema = z.looseObject({
  description: z.string().optional(),
  required: z.boolean().optional(),
  content: z.record(z.string(), mediaTypeSchema),
});
export type RequestBody = z.output<typeof requestBodySchema>;

export const securitySchemeSchema = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  in: z.string().optional(),
  scheme: z.string().optional(),
});
/** How an API knows who asks, as OpenAPI describes it. */
export type SecurityScheme = Readonly<z.output<typeof securitySchemeSchema>>;

const serverSchema = z.looseObject({
  url: z.string(),
  variables: z.record(z.string(), z.looseObject({ default: z.string() })).optional(),
});
export type ServerDescription = z.output<typeof serverSchema>;

const security = z.array(z.record(z.string(), z.array(z.string())));

export const operationSchema = z.looseObject({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  parameters: z.array(record).optional(),
  requestBody: record.optional(),
  security: security.optional(),
  servers: z.array(serverSchema).optional(),
  responses: record.optional(),
});
export type Operation = z.output<typeof operationSchema>;

export const pathItemSchema = z.looseObject({
  parameters: z.array(record).optional(),
  servers: z.array(serverSchema).optional(),
});

export const documentSchema = z.looseObject({
  openapi: z.string().regex(/^3\.[012](\.|$)/, 'must be 3.0, 3.1 or 3.2'),
  paths: z.record(z.string().startsWith('/'), record).default({}),
  servers: z.array(serverSchema).optional(),
  security: security.optional(),
  components: z.looseObject({ securitySchemes: z.record(z.string(), record).optional() }).optional(),
});
export type OpenAPIDocument = z.output<typeof documentSchema>;

/** Reads one part of a document. Throws `openapi.document`, with the place of what is wrong. */
export function readPart<T extends z.ZodType>(shape: T, value: unknown, place: string): z.output<T> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const issues = read.error.issues.map(
    ({ path, message }) => `${[place, ...path.map(String).map(escaped)].join('/')}: ${message}`,
  );
  throw badDocument(issues.join('; '));
}

/** A key as a JSON pointer spells it. */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function badDocument(reason: string, cause?: unknown): AdkError {
  return new AdkError(
    'invalid',
    'openapi.document',
    `Not an OpenAPI document that tools can be made of: ${reason}`,
    {
      cause,
    },
  );
}
