import { AdkError } from '@skein/contracts';
import {
  assertToolOptions,
  type AuthCredential,
  BaseTool,
  type Context,
  type FunctionDeclaration,
  type ReadonlyContext,
  type RunToolRequest,
  type ToolOptions,
} from '@skein/engine';
import { type GuardedFetch, guardedFetch } from '../egress/guarded-fetch';
import { OAuthTokens } from '../oauth/oauth-tokens';
import { type ApiParameter } from './api-parameter';
import { applyCredential } from './apply-credential';
import { buildRequest, type OperationEndpoint } from './build-request';
import { chosenContent, type ChosenContent } from './chosen-content';
import { readPart, requestBodySchema, type SecurityScheme } from './document-parts';
import { type OperationObject, OperationParser, type OperationParserOptions } from './operation-parser';
import { type BinaryResponses, readResponse } from './read-response';
import { resolved } from './resolve-reference';
import { ToolAuthHandler } from './tool-auth-handler';
import { writeBody } from './write-body';

/** One of the schemes that a call needs, with the author's credential for it. */
export interface NeededScheme {
  readonly scheme: SecurityScheme;
  readonly credential?: AuthCredential | undefined;
  /** Under which the user's answer is kept. */
  readonly credentialKey: string;
}

export interface RestApiToolOptions extends OperationParserOptions {
  readonly headerProvider?: ((context: ReadonlyContext) => Record<string, string>) | undefined;
  readonly credentialKey?: string | undefined;
  /** How and where calls run. GET, HEAD, OPTIONS, PUT and DELETE are repeatable; others are `once` unless this says more. */
  readonly tool?: ToolOptions | undefined;
  /** Sends `ctx.idempotencyKey` in this header (`true`: `Idempotency-Key`), which makes any call repeatable. */
  readonly idempotencyHeader?: boolean | string | undefined;
  readonly requireConfirmation?: boolean | undefined;
  /** What is done with an answer of bytes; `inline` when left out. */
  readonly binaryResponses?: BinaryResponses | undefined;
  /** How requests are made; the guarded fetch with nothing allowed when left out. */
  readonly fetch?: GuardedFetch | undefined;
  /** Tokens are got by it: tools that share it share those of their clients. */
  readonly oauth?: OAuthTokens | undefined;
  /** All of these are needed; else the scheme and the credential the tool was made with. */
  readonly schemes?: readonly NeededScheme[] | undefined;
}

/** HTTP's own word on which methods may be repeated (RFC 9110). */
const REPEATABLE = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];

/** A tool that makes one kind of request. */
export class RestApiTool extends BaseTool {
  readonly #parser: OperationParser;
  readonly #content: ChosenContent | undefined;
  readonly #fetch: GuardedFetch;
  readonly #oauth: OAuthTokens;
  readonly #options: RestApiToolOptions;
  readonly #endpoint: OperationEndpoint;
  #schemes: readonly NeededScheme[] | undefined;
  #authScheme: SecurityScheme | undefined;
  #authCredential: AuthCredential | undefined;
  #credentialKey: string | undefined;

  /** Throws `openapi.document` for an operation that no request can be made of, `tool.options` for options there are none of. */
  constructor(
    ...[name, description, endpoint, operation, authScheme, authCredential, options = {}]: [
      name: string,
      description: string,
      endpoint: OperationEndpoint,
      operation: OperationObject,
      authScheme?: SecurityScheme,
      authCredential?: AuthCredential,
      options?: RestApiToolOptions,
    ]
  ) {
    super({
      ...{ name, description },
      actions: [
        'requestedAuthConfigs',
        'artifactDelta',
        ...(keepsTokens(options) ? ['stateDelta' as const] : []),
      ],
      sideEffect: isRepeatable(endpoint, options) ? 'idempotent' : 'once',
      ...options.tool,
    });
    assertToolOptions(`the operation "${name}"`, options.tool);
    this.#parser = new OperationParser(operation, options);
    this.#content = contentOf(operation, options);
    this.#oauth = options.oauth ?? new OAuthTokens();
    this.#fetch = options.fetch ?? guardedFetch({ timeoutMs: Infinity });
    this.#options = options;
    this.#endpoint = { ...endpoint, method: endpoint.method.toUpperCase() };
    this.#schemes = options.schemes;
    this.#authScheme = authScheme;
    this.#authCredential = authCredential;
    this.#credentialKey = options.credentialKey;
  }

  /** In the place of what the document asks for. */
  configureAuthScheme(authScheme: SecurityScheme): void {
    this.#authScheme = authScheme;
    this.#schemes = undefined;
  }

  configureAuthCredential(authCredential: AuthCredential): void {
    this.#authCredential = authCredential;
    this.#schemes = this.#schemes?.map((needed) => ({ ...needed, credential: authCredential }));
  }

  configureCredentialKey(credentialKey: string): void {
    this.#credentialKey = credentialKey;
    this.#schemes = this.#schemes?.map((needed) => ({ ...needed, credentialKey }));
  }

  override getDeclaration(): FunctionDeclaration {
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: this.#parser.getJsonSchema(),
    };
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    const missing = this.#parameters.filter(({ name, required }) => required && args[name] === undefined);
    if (missing.length > 0) return missingArguments(this.name, missing);
    try {
      buildRequest(this.#endpoint, this.#parameters, args);
      return undefined;
    } catch (thrown) {
      return AdkError.from(thrown).message;
    }
  }

  override async checkRequireConfirmation(): Promise<boolean> {
    return this.#options.requireConfirmation ?? false;
  }

  /** Rejects with `openapi.busy` or `egress.unreachable`, of kind `unavailable`, where the call shall be tried again. */
  override async runAsync({ args, toolContext }: RunToolRequest): Promise<unknown> {
    const credentials = await this.#credentials(toolContext);
    if (!credentials) return { pending: true, message: 'Needs your authorization to access your data.' };
    const { method, path } = this.#endpoint;
    const request = buildRequest(this.#endpoint, this.#parameters, args);
    const body = await writeBody(request, {
      ...{ content: this.#content, parameters: this.#parameters },
      loadArtifact: (name) => toolContext.loadArtifact(name),
    });
    const target = { url: request.url, headers: request.headers, cookies: [...request.cookies] };
    for (const { scheme, credential } of credentials) applyCredential(scheme, credential, target);
    this.#addHeaders(target.headers, toolContext);
    if (target.cookies.length > 0) target.headers.set('cookie', target.cookies.join('; '));
    const response = await this.#fetch(target.url, {
      ...{ method, headers: target.headers, signal: toolContext.signal },
      ...(body === undefined ? {} : { body }),
    });
    if (response.status === 401) for (const { forget } of credentials) forget?.();
    const reading = {
      operation: `${method} ${path}`,
      isRepeatable: this.policy.sideEffect === 'idempotent',
      binary: this.#options.binaryResponses ?? 'inline',
      artifactName: `${this.name}-${toolContext.functionCallId ?? 'answer'}`,
    };
    return readResponse(response, reading, toolContext);
  }

  /** All that the call needs; nothing while its user has to give one. */
  async #credentials(context: Context): Promise<FoundCredential[] | undefined> {
    const found: FoundCredential[] = [];
    for (const { scheme, credential, credentialKey } of this.#needed) {
      const options = { credentialKey, oauth: this.#oauth };
      const handler = ToolAuthHandler.fromToolContext(context, scheme, credential, options);
      const { state, authCredential, forget } = await handler.prepareAuthCredentials();
      // One question at a time: the call runs again with the first answer, and asks for the next.
      if (state === 'pending') return undefined;
      if (authCredential) found.push({ scheme, credential: authCredential, forget });
    }
    return found;
  }

  get #needed(): readonly NeededScheme[] {
    if (this.#schemes) return this.#schemes;
    if (!this.#authScheme) return [];
    const credentialKey = this.#credentialKey ?? 'default_openapi_key';
    return [{ scheme: this.#authScheme, credential: this.#authCredential, credentialKey }];
  }

  #addHeaders(headers: Headers, context: Context): void {
    const { idempotencyHeader, headerProvider } = this.#options;
    const name = idempotencyHeader === true ? 'Idempotency-Key' : idempotencyHeader;
    if (name && context.idempotencyKey !== undefined) headers.set(name, context.idempotencyKey);
    for (const [header, value] of Object.entries(headerProvider?.(context) ?? {})) headers.set(header, value);
  }

  get #parameters(): readonly ApiParameter[] {
    return this.#parser.getParameters();
  }
}

interface FoundCredential {
  readonly scheme: SecurityScheme;
  readonly credential: AuthCredential;
  readonly forget: (() => void) | undefined;
}

/** A token that a user's code was exchanged for is kept in the session; made alone, a tool is told of schemes later. */
function keepsTokens({ schemes }: RestApiToolOptions): boolean {
  return schemes?.some(({ scheme: { type } }) => type === 'oauth2' || type === 'openIdConnect') ?? true;
}

function isRepeatable({ method }: OperationEndpoint, { idempotencyHeader }: RestApiToolOptions): boolean {
  return Boolean(idempotencyHeader) || REPEATABLE.includes(method.toUpperCase());
}

function contentOf(
  { requestBody }: OperationObject,
  { document = {}, place = '#' }: RestApiToolOptions,
): ChosenContent | undefined {
  if (!requestBody) return undefined;
  const at = `${place}/requestBody`;
  return chosenContent(readPart(requestBodySchema, resolved(document, requestBody, at), at).content);
}

function missingArguments(tool: string, missing: readonly ApiParameter[]): string {
  const names = missing.map(({ name }) => name).join(', ');
  return `Invoking \`${tool}()\` failed: it needs ${names}. You could call it again with all that it needs.`;
}
