import { type JsonSchema } from './function-declaration';

/** A schema of zod 3, known by its shape: the author's copy of zod is not ours. */
export interface Zod3Schema<Output = unknown> {
  readonly _output: Output;
  readonly _def: object;
  parse(data: unknown): Output;
  isOptional(): boolean;
}

/** The fields of zod 3's definitions that are read here; which are there depends on `typeName`. */
interface Definition {
  readonly typeName?: string;
  readonly description?: string;
  readonly checks?: readonly Check[];
  readonly values?: unknown;
  readonly value?: unknown;
  readonly options?: readonly Zod3Schema[];
  readonly type?: Zod3Schema;
  readonly innerType?: Zod3Schema;
  readonly schema?: Zod3Schema;
  readonly in?: Zod3Schema;
  readonly valueType?: Zod3Schema;
  readonly shape?: () => Readonly<Record<string, Zod3Schema>>;
  readonly unknownKeys?: string;
  readonly catchall?: Zod3Schema;
  readonly defaultValue?: () => unknown;
  readonly minLength?: { readonly value: number } | null;
  readonly maxLength?: { readonly value: number } | null;
  readonly exactLength?: { readonly value: number } | null;
}

interface Check {
  readonly kind: string;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
}

export function isZod3(schema: object): schema is Zod3Schema {
  return '_def' in schema && 'parse' in schema && 'isOptional' in schema && !('_zod' in schema);
}

/** JSON Schema of what a zod 3 schema takes in. Throws for a type that has no JSON form, or that is not known here. */
export function fromZod3(schema: Zod3Schema): JsonSchema {
  // What zod 3 keeps there; each field is looked at before it is used.
  const definition = schema._def as Definition;
  const converted = convert(definition);
  const { description } = definition;
  return description === undefined ? converted : { ...converted, description };
}

function convert(definition: Definition): JsonSchema {
  const { typeName = 'a schema of no type' } = definition;
  const converter = CONVERTERS[typeName];
  if (!converter) throw new Error(`${typeName} has no form a model could be shown.`);
  return converter(definition);
}

const CONVERTERS: Readonly<Record<string, (definition: Definition) => JsonSchema>> = {
  ZodString: ({ checks }) => ({ type: 'string', ...stringBounds(checks) }),
  ZodNumber: ({ checks }) => ({ ...numberBounds(checks) }),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodNull: () => ({ type: 'null' }),
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodEnum: ({ values }) => ({ type: 'string', enum: values }),
  ZodLiteral: ({ value }) => ({ const: value }),
  ZodObject: convertObject,
  ZodArray: convertArray,
  ZodRecord: ({ valueType }) => ({ type: 'object', additionalProperties: inner(valueType) }),
  ZodUnion: ({ options = [] }) => ({ anyOf: options.map(fromZod3) }),
  ZodDiscriminatedUnion: ({ options = [] }) => ({ anyOf: [...options].map(fromZod3) }),
  ZodOptional: ({ innerType }) => inner(innerType),
  ZodNullable: ({ innerType }) => ({ anyOf: [inner(innerType), { type: 'null' }] }),
  ZodDefault: ({ innerType, defaultValue }) => ({ ...inner(innerType), default: defaultValue?.() }),
  ZodReadonly: ({ innerType }) => inner(innerType),
  ZodBranded: ({ type }) => inner(type),
  // A refinement or a transformation takes in what the schema below it does.
  ZodEffects: ({ schema }) => inner(schema),
  ZodPipeline: (definition) => inner(definition.in),
};

function inner(schema: Zod3Schema | undefined): JsonSchema {
  if (!schema) throw new Error('a schema lacks the one it is made of.');
  return fromZod3(schema);
}

function convertObject({ shape, unknownKeys, catchall }: Definition): JsonSchema {
  const fields = Object.entries(shape?.() ?? {});
  const required = fields.filter(([, field]) => !field.isOptional()).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fromZod3(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...otherFields(unknownKeys, catchall),
  };
}

function otherFields(unknownKeys: string | undefined, catchall: Zod3Schema | undefined): JsonSchema {
  const hasCatchall = catchall && (catchall._def as Definition).typeName !== 'ZodNever';
  if (hasCatchall) return { additionalProperties: fromZod3(catchall) };
  return unknownKeys === 'strict' ? { additionalProperties: false } : {};
}

function convertArray({ type, minLength, maxLength, exactLength }: Definition): JsonSchema {
  const min = exactLength ?? minLength;
  const max = exactLength ?? maxLength;
  return {
    type: 'array',
    items: inner(type),
    ...(min ? { minItems: min.value } : {}),
    ...(max ? { maxItems: max.value } : {}),
  };
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
  time: 'time',
};

/** Checks that JSON Schema has no word for are left to `parse`. */
function stringBounds(checks: readonly Check[] = []): JsonSchema {
  return Object.assign(
    {},
    ...checks.map(({ kind, value, regex }) => {
      if (kind === 'min') return { minLength: value };
      if (kind === 'max') return { maxLength: value };
      if (kind === 'length') return { minLength: value, maxLength: value };
      if (kind === 'regex') return { pattern: regex?.source };
      return FORMATS[kind] ? { format: FORMATS[kind] } : {};
    }),
  ) as JsonSchema;
}

function numberBounds(checks: readonly Check[] = []): JsonSchema {
  const bounds = checks.map(({ kind, value, inclusive }) => {
    if (kind === 'min') return inclusive ? { minimum: value } : { exclusiveMinimum: value };
    if (kind === 'max') return inclusive ? { maximum: value } : { exclusiveMaximum: value };
    if (kind === 'multipleOf') return { multipleOf: value };
    return kind === 'int' ? { type: 'integer' } : {};
  });
  return Object.assign({ type: 'number' }, ...bounds) as JsonSchema;
}
