import { AdkError } from '@skein/contracts';
import { BaseTool } from '@skein/engine';
import { type ToolProcessLlmRequest } from './tool-types';

/** A tool that Gemini runs itself: the request says that it may, and nothing is called here. */
abstract class GeminiTool extends BaseTool {
  protected constructor(
    name: string,
    private readonly setting: string,
  ) {
    super({ name, description: name, placement: 'inline' });
  }

  /** Throws `model.no-tool` for a model of another provider. */
  override async processLlmRequest({ llmRequest }: ToolProcessLlmRequest): Promise<void> {
    if (!/(^|\/)gemini-/.test(llmRequest.model)) {
      throw new AdkError(
        'invalid',
        'model.no-tool',
        `${this.name} is a tool of Gemini's own; "${llmRequest.model}" has none.`,
      );
    }
    (llmRequest.config.tools ??= []).push({ [this.setting]: {} });
  }

  override async runAsync(): Promise<undefined> {
    return undefined;
  }
}

/** Search with Google, by Gemini itself. */
export class GoogleSearchTool extends GeminiTool {
  constructor() {
    super('google_search', 'googleSearch');
  }
}

/** Reads the pages that a message names, by Gemini itself. */
export class UrlContextTool extends GeminiTool {
  constructor() {
    super('url_context', 'urlContext');
  }
}

/** Answers from Google Maps, by Gemini itself. */
export class GoogleMapsGroundingTool extends GeminiTool {
  constructor() {
    super('google_maps', 'googleMaps');
  }
}

/** Search for enterprises, by Gemini itself. */
export class EnterpriseWebSearchTool extends GeminiTool {
  constructor() {
    super('enterprise_web_search', 'enterpriseWebSearch');
  }
}

export const GOOGLE_SEARCH = new GoogleSearchTool();
export const URL_CONTEXT = new UrlContextTool();
export const GOOGLE_MAPS_GROUNDING = new GoogleMapsGroundingTool();
export const ENTERPRISE_WEB_SEARCH = new EnterpriseWebSearchTool();
