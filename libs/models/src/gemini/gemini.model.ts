import { AdkError } from '@skein/contracts';
import { aggregateStream, type LlmRequest, type LlmResponse } from '@skein/engine';
import type { GenerateContentResponse, GoogleGenAIOptions, Models } from '@google/genai';
import { checkHeaders, credentialHeaders } from '../failure/credential-headers';
import { finishedAnswer, toldBy } from '../reading/finished-answer';
import { once, type ProviderCall, ProviderLlm, type ProviderLlmParams } from '../provider/provider-llm';
import { type KeyUse } from '../registry/connection';
import { fromGeminiChunks } from './from-gemini-chunks';
import { fromGeminiResponse } from './from-gemini-response';
import { toGeminiRequest } from './to-gemini-request';
import { withMeantNames } from './with-meant-names';

export interface GeminiParams extends Omit<ProviderLlmParams, 'model'> {
  /** `gemini-2.5-flash` when left out. */
  readonly model?: string;
  /** Google Cloud's endpoint, which takes Google's application default credentials in place of a key. */
  readonly vertexai?: boolean;
  /** With `vertexai`. */
  readonly project?: string;
  /** With `vertexai`. */
  readonly location?: string;
  /** Sent with every request. */
  readonly headers?: Record<string, string>;
  /** Refused when true: a conversation that the provider keeps cannot be resumed here. */
  readonly useInteractionsApi?: boolean;
}

const DEFAULT_MODEL = 'gemini-2.5-flash';

/** Google's models, over the Gemini API or Vertex AI. */
export class Gemini extends ProviderLlm<GenerateContentResponse> {
  static override readonly supportedModels = [
    /gemini-.*/,
    // Vertex AI: a tuned model, and a model's long name.
    /projects\/.+\/locations\/.+\/endpoints\/.+/,
    /projects\/.+\/locations\/.+\/publishers\/google\/models\/gemini.+/,
  ];
  readonly useInteractionsApi = false;
  protected override readonly provider = 'gemini';
  protected readonly vertexai: boolean;
  readonly #place: GeminiPlace;
  #client: (Connection & { readonly models: Models }) | undefined;

  /** Throws `model.unsupported` for the Interactions API, `model.no-project` for Vertex AI without project or location. */
  constructor(params: GeminiParams = {}) {
    super({ ...params, model: params.model ?? DEFAULT_MODEL });
    checkHeaders(this.model, params.headers);
    if (params.useInteractionsApi) throw new AdkError('invalid', 'model.unsupported', NO_INTERACTIONS);
    this.vertexai = params.vertexai ?? false;
    this.#place = placeOf(params);
  }

  protected override async ask(
    request: LlmRequest,
    call: ProviderCall,
  ): Promise<AsyncIterable<GenerateContentResponse>> {
    const { vertexai } = this;
    const target = { model: call.model, vertexai, abortSignal: call.signal };
    const { parameters: asked, names } = toGeminiRequest(request, target);
    // Each request has its own; the SDK would hand Node's a dispatcher made of another copy of undici's classes.
    const httpOptions = { ...asked.config?.httpOptions, fetch: call.fetch };
    const parameters = { ...asked, config: { ...asked.config, httpOptions } };
    const models = await this.#connected(call);
    const pieces = call.stream
      ? await models.generateContentStream(parameters)
      : once(await models.generateContent(parameters));
    return withMeantNames(finishedAnswer(pieces, toldBy(isEnd, isCount), call.idleTimeoutMs), names);
  }

  /** One client for as long as its key and address are the same: with it go the access tokens of Google Cloud. */
  async #connected({ apiKey, baseUrl }: ProviderCall): Promise<Models> {
    if (this.#client?.apiKey !== apiKey || this.#client.baseUrl !== baseUrl) {
      this.#client = { apiKey, baseUrl, models: await connect({ apiKey, baseUrl }, this.#place) };
    }
    return this.#client.models;
  }

  protected override async *read(
    pieces: AsyncIterable<GenerateContentResponse>,
    stream: boolean,
  ): AsyncIterable<LlmResponse> {
    if (stream) yield* aggregateStream(fromGeminiChunks(pieces));
    else for await (const response of pieces) yield fromGeminiResponse(response);
  }

  protected override secrets(): readonly string[] {
    return credentialHeaders(this.#place.headers);
  }

  protected override account(): readonly string[] {
    const { vertex } = this.#place;
    return vertex ? [vertex.project, vertex.location] : [];
  }

  protected override keyUse(): KeyUse {
    return this.vertexai ? 'none' : 'needed';
  }
}

function isEnd({ candidates, promptFeedback }: GenerateContentResponse): boolean {
  return Boolean(candidates?.[0]?.finishReason ?? promptFeedback?.blockReason);
}

/** Token counts may come behind the reason why it ends. */
function isCount({ usageMetadata }: GenerateContentResponse): boolean {
  return Boolean(usageMetadata);
}

const NO_INTERACTIONS =
  'useInteractionsApi is not supported: the conversation would be kept by the provider, and not with the session.';

/** Where the models are asked beside the key. */
interface GeminiPlace {
  readonly headers: Record<string, string>;
  readonly vertex?: { readonly project: string; readonly location: string };
}

function placeOf({ headers = {}, vertexai, project, location }: GeminiParams): GeminiPlace {
  if (!vertexai) return { headers };
  if (!project || !location) {
    const missing = project ? 'location' : 'project';
    throw new AdkError('invalid', 'model.no-project', `A Gemini model with "vertexai" needs a "${missing}".`);
  }
  return { headers, vertex: { project, location } };
}

type Connection = Pick<ProviderCall, 'apiKey' | 'baseUrl'>;

async function connect({ apiKey, baseUrl }: Connection, { headers, vertex }: GeminiPlace): Promise<Models> {
  // Said outright, because the SDK would otherwise look for it in the environment.
  const where: GoogleGenAIOptions = vertex ? { vertexai: true, ...vertex } : { vertexai: false, apiKey };
  // Loaded at the first call: the SDK is large, and a stack of scripted models never needs it.
  const { GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    ...where,
    httpOptions: { headers, ...(baseUrl ? { baseUrl } : {}) },
  });
  return client.models;
}
