import { type Content } from '@skein/contracts';
import { type BaseTool } from '../tool/base-tool';
import { type FunctionDeclaration } from '../tool/function-declaration';

export interface RequestedTool {
  functionDeclarations?: FunctionDeclaration[];
  [providersOwn: string]: unknown;
}

/** Generation settings in google-genai's names; adapters translate what their provider knows. */
export interface GenerateContentConfig {
  systemInstruction?: string;
  /** Declarations of the agent's tools, and what the provider runs itself, as `{ googleSearch: {} }`. */
  tools?: RequestedTool[];
  temperature?: number;
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  [setting: string]: unknown;
}

/** What the processors build and a model gets. Processors change it in place; whoever reads `contents` has copies of stored ones. */
export interface LlmRequest {
  model: string;
  contents: Content[];
  config: GenerateContentConfig;
  /** The tools behind the declarations, by name. */
  toolsDict: Record<string, BaseTool>;
  /**
   * How many answers this agent name has stored in this session, failed and skipped calls not counted: a scripted model
   * answers by it, so that a resumed run goes on where it was.
   */
  ordinal: number;
  /** Whose request this is; for logs and scripted models, no provider is told. */
  readonly origin?: RequestOrigin;
}

export interface RequestOrigin {
  readonly appName: string;
  readonly sessionId: string;
  readonly invocationId: string;
  readonly agentName: string;
}

/** Adds pieces to the system instruction, each set off by a blank line (B25). */
export function appendInstructions(request: LlmRequest, pieces: readonly string[]): void {
  const all = [request.config.systemInstruction, ...pieces].filter((piece) => piece);
  if (all.length > 0) request.config.systemInstruction = all.join('\n\n');
}
