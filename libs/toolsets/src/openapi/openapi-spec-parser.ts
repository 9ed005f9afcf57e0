import { type ApiParameter } from './api-parameter';
import { type OperationEndpoint } from './build-request';
import {
  badDocument,
  documentSchema,
  escaped,
  type OpenAPIDocument,
  operationSchema,
  pathItemSchema,
  readPart,
  type SecurityScheme,
  securitySchemeSchema,
} from './document-parts';
import { type OperationObject, OperationParser } from './operation-parser';
import { isRecord, resolved } from './resolve-reference';
import { type ServerChoice, serverUrlOf } from './server-url';
import { operationName, TakenNames } from './tool-names';

/** An operation as one tool needs it. */
export interface ParsedOperation {
  readonly name: string;
  readonly description: string;
  readonly endpoint: OperationEndpoint;
  readonly operation: OperationObject;
  readonly parameters: ApiParameter[];
  readonly returnValue?: ApiParameter;
  readonly authScheme?: SecurityScheme;
  /** The ways in: each is a set of schemes, by their names, that are needed together. */
  readonly security: readonly Readonly<Record<string, SecurityScheme>>[];
  /** Where it stands in the document, as a JSON pointer. */
  readonly place: string;
}

export interface OpenApiSpecParserOptions extends ServerChoice {
  readonly preservePropertyNames?: boolean | undefined;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** Makes a list of a document's operations. */
export class OpenApiSpecParser {
  constructor(private readonly options: OpenApiSpecParserOptions = {}) {}

  /** Throws `openapi.document`, with the place of what is wrong. */
  parse(openapiSpec: object): ParsedOperation[] {
    const document = readPart(documentSchema, openapiSpec, '#');
    const names = new TakenNames(2);
    return Object.entries(document.paths).flatMap(([path, item]) =>
      this.#operationsAt(document, path, item).map((operation) => ({
        ...operation,
        name: names.free(operation.name),
      })),
    );
  }

  #operationsAt(document: OpenAPIDocument, path: string, given: object): ParsedOperation[] {
    const at = `#/paths/${escaped(path)}`;
    const item = readPart(pathItemSchema, resolved(document, given, at), at);
    return METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const place = `${at}/${method}`;
      const own = readPart(operationSchema, item[method], place);
      const ofPath = { parameters: item.parameters, place: at };
      const parameters = merged(document, ofPath, { parameters: own.parameters, place });
      const operation = { ...own, parameters };
      // An empty list is as good as none.
      const servers = [own.servers, item.servers, document.servers].find((list) => (list?.length ?? 0) > 0);
      const baseUrl = serverUrlOf(servers, this.options, place);
      return this.#parsed({ document, place, operation, endpoint: { baseUrl, path, method } });
    });
  }

  #parsed({ document, place, operation, endpoint }: Found): ParsedOperation {
    const { preservePropertyNames = false } = this.options;
    const parser = new OperationParser(operation, { preservePropertyNames, document, place });
    const security = securityOf(document, operation.security ?? document.security, place);
    const [authScheme] = Object.values(security[0] ?? {});
    return {
      name: operationName(operation.operationId, endpoint.method, endpoint.path),
      description: parser.getDescription() || `${endpoint.method.toUpperCase()} ${endpoint.path}`,
      parameters: parser.getParameters(),
      returnValue: parser.getReturnValue(),
      ...{ endpoint, operation, security, place },
      ...(authScheme ? { authScheme } : {}),
    };
  }
}

interface Found {
  readonly document: OpenAPIDocument;
  readonly place: string;
  readonly operation: OperationObject & {
    readonly security?: readonly Record<string, string[]>[] | undefined;
  };
  readonly endpoint: OperationEndpoint;
}

/** The parameters of a path, save those that the operation has of its own. */
function merged(document: object, ofPath: PlacedParameters, own: PlacedParameters): object[] {
  const keyed = ({ parameters = [], place }: PlacedParameters) =>
    parameters.map((parameter, at) => {
      const target = resolved(document, parameter, `${place}/parameters/${at}`);
      return { parameter, key: isRecord(target) ? `${String(target.in)} ${String(target.name)}` : '' };
    });
  const owned = keyed(own);
  const inherited = keyed(ofPath).filter(({ key }) => !owned.some((other) => other.key === key));
  return [...inherited, ...owned].map(({ parameter }) => parameter);
}

interface PlacedParameters {
  readonly parameters?: readonly object[] | undefined;
  readonly place: string;
}

function securityOf(
  document: OpenAPIDocument,
  requirements: readonly Readonly<Record<string, unknown>>[] = [],
  place: string,
): Readonly<Record<string, SecurityScheme>>[] {
  const known = document.components?.securitySchemes ?? {};
  return requirements.map((requirement) =>
    Object.fromEntries(
      Object.keys(requirement).map((name) => {
        const at = `#/components/securitySchemes/${escaped(name)}`;
        if (!Object.hasOwn(known, name)) throw badDocument(`${place}/security: there is no ${at}.`);
        return [name, readPart(securitySchemeSchema, resolved(document, known[name], at), at)];
      }),
    ),
  );
}
