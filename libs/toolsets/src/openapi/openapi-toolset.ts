import {
  type AuthCredential,
  BaseToolset,
  type ReadonlyContext,
  type ToolFilter,
  type ToolOptions,
} from '@skein/engine';
import { guardedFetch } from '../egress/guarded-fetch';
import { oauthClientOf } from '../oauth/oauth-client';
import { OAuthTokens } from '../oauth/oauth-tokens';
import { isUsable } from './apply-credential';
import { type SecurityScheme } from './document-parts';
import { OpenApiSpecParser, type ParsedOperation } from './openapi-spec-parser';
import { type DocumentSource, readDocument } from './read-document';
import { type BinaryResponses } from './read-response';
import { type NeededScheme, RestApiTool } from './rest-api-tool';
import { type ServerChoice } from './server-url';
import { validateDocument } from './validate-document';

const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** What an author says of one operation when asked for its options. */
export type OperationInfo = Pick<ParsedOperation, 'name' | 'description' | 'endpoint'>;

export interface OpenAPIToolsetOptions extends DocumentSource, ServerChoice {
  readonly toolFilter?: ToolFilter;
  readonly prefix?: string;
  /** Names of arguments as the document has them, instead of in snake_case. */
  readonly preservePropertyNames?: boolean;
  /** In the place of what the document says of security. */
  readonly authScheme?: SecurityScheme;
  /** For every scheme that `credentials` has nothing for. */
  readonly authCredential?: AuthCredential;
  /** By the names that the document gives its schemes. A scheme without any is asked of the user. */
  readonly credentials?: Readonly<Record<string, AuthCredential>>;
  /** Under which the user's answer is kept while the run lasts; by default each scheme has its own. */
  readonly credentialKey?: string;
  readonly headerProvider?: (context: ReadonlyContext) => Record<string, string>;
  /** How and where calls run: for all operations, or as the function says of each. */
  readonly toolOptions?: ToolOptions | ((operation: OperationInfo) => ToolOptions | undefined);
  readonly requireConfirmation?: boolean | ((operation: OperationInfo) => boolean);
  /** Sends `ctx.idempotencyKey` in this header (`true`: `Idempotency-Key`), which makes every call repeatable. */
  readonly idempotencyHeader?: boolean | string;
  readonly binaryResponses?: BinaryResponses;
  /** Hosts, networks and origins that are reached though they are private. */
  readonly allow?: readonly string[];
  /** The most bytes of an answer, unpacked; 10 MiB when left out. */
  readonly maxResponseBytes?: number;
}

/** Tools made of an OpenAPI 3 document: one for each operation. */
export class OpenAPIToolset extends BaseToolset {
  readonly #tools: readonly RestApiTool[];
  readonly #document: object;
  #validated: Promise<void> | undefined;

  /** Throws `openapi.document` for a document that no tools can be made of, with the place of what is wrong. */
  constructor(options: OpenAPIToolsetOptions = {}) {
    super(nonEmpty(options.toolFilter) ?? [], options.prefix);
    const document = readDocument(options);
    this.#document = document;
    const fetch = guardedFetch({
      // A call's own time is its tool's `timeoutMs`, which ends it by its signal.
      timeoutMs: Infinity,
      ...{ allow: options.allow ?? [], maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES },
    });
    const oauth = new OAuthTokens(options.allow);
    this.#tools = new OpenApiSpecParser(options).parse(document).map(
      (parsed) =>
        new RestApiTool(
          parsed.name,
          parsed.description,
          parsed.endpoint,
          parsed.operation,
          undefined,
          undefined,
          {
            ...{ document, place: parsed.place, fetch, oauth, schemes: schemesOf(parsed, options) },
            preservePropertyNames: options.preservePropertyNames ?? false,
            headerProvider: options.headerProvider,
            idempotencyHeader: options.idempotencyHeader,
            binaryResponses: options.binaryResponses,
            tool: toolOptionsOf(options.toolOptions, parsed),
            requireConfirmation: isConfirmed(options.requireConfirmation, parsed),
          },
        ),
    );
  }

  /** Rejects with `openapi.document` where the whole document, looked at once, breaks OpenAPI's rules. */
  override async getTools(_context?: ReadonlyContext): Promise<RestApiTool[]> {
    await (this.#validated ??= validateDocument(this.#document));
    return [...this.#tools];
  }

  /** A tool by its name, without the prefix. */
  getTool(name: string): RestApiTool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }
}

/** Of the ways in, the first for which the author has all credentials; else the first, which is asked of the user. */
function schemesOf({ security }: ParsedOperation, options: OpenAPIToolsetOptions): NeededScheme[] {
  const { authScheme, authCredential, credentials = {}, credentialKey } = options;
  if (authScheme)
    return [{ scheme: authScheme, credential: authCredential, credentialKey: credentialKey ?? 'openapi' }];
  const ways = security.map((schemes) =>
    Object.entries(schemes).map(([name, scheme]) => ({
      scheme,
      credential: Object.hasOwn(credentials, name) ? credentials[name] : authCredential,
      credentialKey: credentialKey ?? `openapi_${name}`,
    })),
  );
  const isReady = (way: readonly NeededScheme[]) =>
    way.every(({ scheme, credential }) => isUsable(scheme, credential) || isClientOf(scheme, credential));
  // A way that needs nothing is the last resort: with a credential the API may show more.
  return (
    ways.find((way) => way.length > 0 && isReady(way)) ??
    ways.find((way) => way.length === 0) ??
    ways[0] ??
    []
  );
}

/** Tokens are got with it: from a user at most a consent is wanted. */
function isClientOf({ type }: SecurityScheme, credential: AuthCredential | undefined): boolean {
  return (type === 'oauth2' || type === 'openIdConnect') && oauthClientOf(credential) !== undefined;
}

function toolOptionsOf(
  options: OpenAPIToolsetOptions['toolOptions'],
  operation: OperationInfo,
): ToolOptions | undefined {
  return typeof options === 'function' ? options(operation) : options;
}

function isConfirmed(
  required: OpenAPIToolsetOptions['requireConfirmation'],
  operation: OperationInfo,
): boolean {
  return typeof required === 'function' ? required(operation) : (required ?? false);
}

/** As @google/adk has it, an empty filter is none. */
function nonEmpty(filter: ToolFilter | undefined): ToolFilter | undefined {
  return typeof filter === 'function' || (filter?.length ?? 0) > 0 ? filter : undefined;
}
