import { type JsonSchema } from '@skein/engine';
import { ARTIFACT_SCHEMA, type ApiParameter, isBinarySchema } from './api-parameter';
import { chosenContent } from './chosen-content';
import { badDocument, type Parameter, parameterSchema, readPart, requestBodySchema } from './document-parts';
import { type Definitions, jsonSchemaOf } from './json-schema';
import { isRecord, isReference, resolved } from './resolve-reference';
import { snakeCase, TakenNames } from './tool-names';

export interface OperationParserOptions {
  /** Names of arguments as the document has them, instead of in snake_case. */
  readonly preservePropertyNames?: boolean;
  /** The document that its references lead into. */
  readonly document?: object;
  /** Where the operation stands in it, for what is told of mistakes. */
  readonly place?: string;
}

/** An operation as parts of a document have it; only what tools are made of is looked at. */
export interface OperationObject {
  readonly operationId?: string | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly parameters?: readonly object[] | undefined;
  readonly requestBody?: object | undefined;
  readonly responses?: object | undefined;
}

/** In these headers the document has no say (OpenAPI 3, Parameter Object). */
const RESERVED_HEADERS = ['accept', 'content-type', 'authorization'];

/** The arguments of an operation as one list. A name that comes a second time gets a number: `id`, `id_0`. */
export class OperationParser {
  readonly #parameters: ApiParameter[] = [];
  readonly #definitions: Definitions = {};
  readonly #returnSchema: JsonSchema;

  /** Throws `openapi.document`, with the place of what is wrong. */
  constructor(
    private readonly operation: OperationObject,
    private readonly options: OperationParserOptions = {},
  ) {
    const found = [...this.#ofParameters(), ...this.#ofBody()];
    const names = new TakenNames(0);
    this.#parameters = found.map((parameter) => ({ ...parameter, name: names.free(parameter.name) }));
    this.#returnSchema = this.#ofResponses();
  }

  getParameters(): ApiParameter[] {
    return this.#parameters;
  }

  /** The arguments as the one object that a model gives; what contains itself is in `$defs`. */
  getJsonSchema(): Record<string, unknown> {
    const required = this.#parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    const used = usedDefinitions(this.#parameters, this.#definitions);
    return {
      type: 'object',
      properties: Object.fromEntries(this.#parameters.map((parameter) => [parameter.name, shown(parameter)])),
      ...(required.length > 0 ? { required } : {}),
      title: `${this.operation.operationId ?? 'unnamed'}_Arguments`,
      ...(Object.keys(used).length > 0 ? { $defs: used } : {}),
    };
  }

  /** What a call that went well gives. */
  getReturnValue(): ApiParameter {
    return {
      originalName: '',
      paramLocation: '',
      paramSchema: this.#returnSchema,
      required: true,
      name: 'return',
    };
  }

  /** Throws `openapi.document` where the operation has no id. */
  getFunctionName(): string {
    if (!this.operation.operationId) throw badDocument('the operation has no operationId.');
    return snakeCase(this.operation.operationId).slice(0, 60);
  }

  getDescription(): string {
    return this.operation.description ?? this.operation.summary ?? '';
  }

  #ofParameters(): ApiParameter[] {
    const { parameters = [] } = this.operation;
    const read = parameters.map((parameter, at) => {
      const place = `${this.#place}/parameters/${at}`;
      return readPart(parameterSchema, resolved(this.#document, parameter, place), place);
    });
    return read
      .filter(({ name, in: where }) => where !== 'header' || !RESERVED_HEADERS.includes(name.toLowerCase()))
      .map((parameter) => this.#parameter(parameter));
  }

  #parameter(parameter: Parameter): ApiParameter {
    const [content] = Object.entries(parameter.content ?? {});
    const { style, explode, allowReserved, description } = parameter;
    return {
      originalName: parameter.name,
      paramLocation: parameter.in,
      paramSchema: this.#schema(parameter.schema ?? content?.[1].schema ?? {}),
      name: this.#nameOf(parameter.name) || `${parameter.in}_param`,
      // The path would be another one without it, whatever the document says.
      required: parameter.in === 'path' || parameter.required === true,
      ...(description === undefined ? {} : { description }),
      ...(style === undefined ? {} : { style }),
      ...(explode === undefined ? {} : { explode }),
      ...(allowReserved === undefined ? {} : { allowReserved }),
      ...(content ? { contentType: content[0] } : {}),
    };
  }

  #ofBody(): ApiParameter[] {
    if (!this.operation.requestBody) return [];
    const place = `${this.#place}/requestBody`;
    const body = readPart(
      requestBodySchema,
      resolved(this.#document, this.operation.requestBody, place),
      place,
    );
    const content = chosenContent(body.content);
    if (!content) return [];
    const schema = this.#schema(content.schema ?? {});
    const isRequired = body.required === true;
    const properties = this.#propertiesOf(schema);
    if (properties && content.kind !== 'bytes') return this.#ofProperties(properties, isRequired);
    const description = body.description;
    const isBinary = content.kind === 'bytes';
    return [
      {
        originalName: schema.type === 'array' ? 'array' : 'body',
        paramLocation: 'body',
        paramSchema: isBinary ? ARTIFACT_SCHEMA : schema,
        name: 'body',
        required: isRequired,
        ...(description === undefined ? {} : { description }),
        ...(isBinary ? { isBinary } : {}),
      },
    ];
  }

  #ofProperties({ properties, required }: ObjectSchema, isBodyRequired: boolean): ApiParameter[] {
    return Object.entries(properties).map(([originalName, schema]) => {
      const isBinary = isBinarySchema(schema);
      return {
        originalName,
        paramLocation: 'body',
        paramSchema: isBinary ? { ...ARTIFACT_SCHEMA } : schema,
        name: this.#nameOf(originalName) || 'body_param',
        // Without a body its properties are not asked for either.
        required: isBodyRequired && required.includes(originalName),
        ...(isBinary ? { isBinary } : {}),
      };
    });
  }

  /** The properties of a plain object; nothing for a schema that is more than its properties. */
  #propertiesOf(schema: JsonSchema): ObjectSchema | undefined {
    const target = this.#definitionOf(schema);
    const { type, properties, required, allOf, anyOf, oneOf, additionalProperties } = target;
    if ((type ?? 'object') !== 'object' || !isRecord(properties)) return undefined;
    if (allOf ?? anyOf ?? oneOf ?? (additionalProperties === false ? undefined : additionalProperties))
      return undefined;
    const writable = Object.entries(properties).filter(
      ([, field]) => !isRecord(field) || field.readOnly !== true,
    );
    if (writable.length === 0) return undefined;
    return {
      properties: Object.fromEntries(writable.map(([name, field]) => [name, isRecord(field) ? field : {}])),
      required: Array.isArray(required) ? required : [],
    };
  }

  #definitionOf(schema: JsonSchema): JsonSchema {
    const name = isReference(schema) ? schema.$ref.slice('#/$defs/'.length) : undefined;
    return (name === undefined ? undefined : this.#definitions[name]) ?? schema;
  }

  #ofResponses(): JsonSchema {
    const responses = Object.entries(this.operation.responses ?? {}) as [string, unknown][];
    const [, first] = responses.filter(([status]) => status.startsWith('2')).sort()[0] ?? [];
    const response = resolved(this.#document, first, this.#place);
    const content =
      isRecord(response) && isRecord(response.content) ? Object.values(response.content)[0] : undefined;
    const schema = isRecord(content) ? content.schema : undefined;
    return isRecord(schema) ? this.#schema(schema) : {};
  }

  #schema(schema: boolean | Readonly<Record<string, unknown>>): JsonSchema {
    return jsonSchemaOf(this.#document, schema, this.#definitions);
  }

  #nameOf(name: string): string {
    return this.options.preservePropertyNames ? name : snakeCase(name);
  }

  get #document(): object {
    return this.options.document ?? {};
  }

  get #place(): string {
    return this.options.place ?? '#';
  }
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly unknown[];
}

/** A schema with what its parameter says of it, which stands outside of the schema in a document. */
function shown({ paramSchema, description }: ApiParameter): JsonSchema {
  return description && paramSchema.description === undefined ? { ...paramSchema, description } : paramSchema;
}

/** Those that the arguments come to; what only responses hold is not shown to the model. */
function usedDefinitions(parameters: readonly ApiParameter[], all: Definitions): Definitions {
  const used: Definitions = {};
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = isReference(value) ? value.$ref.slice('#/$defs/'.length) : undefined;
    const definition = name === undefined ? undefined : all[name];
    if (name !== undefined && definition && !Object.hasOwn(used, name)) {
      used[name] = definition;
      visit(definition);
    }
    for (const field of Object.values(value)) visit(field);
  };
  for (const { paramSchema } of parameters) visit(paramSchema);
  return used;
}
