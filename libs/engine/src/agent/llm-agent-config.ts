import { type Content } from '@skein/contracts';
import { type BaseCodeExecutor } from '../code-executor/base-code-executor';
import { type PlacedRequestProcessor } from '../flow/request-processor';
import { type PlacedResponseProcessor } from '../flow/response-processor';
import { type BaseLlm } from '../model/base-llm';
import { type GenerateContentConfig } from '../model/llm-request';
import { type BasePlanner } from '../planner/base-planner';
import { type BaseTool } from '../tool/base-tool';
import { type BaseToolset } from '../tool/base-toolset';
import { type ParametersSchema } from '../tool/function-declaration';
import { type BaseAgentConfig } from './base-agent';
import {
  type AfterModelCallback,
  type AfterToolCallback,
  type BeforeModelCallback,
  type BeforeToolCallback,
  type OneOrMany,
  type OnModelErrorCallback,
  type OnToolErrorCallback,
} from './callbacks';
import { type ReadonlyContext } from './readonly-context';

/** An instruction made anew for each model call; it is taken as it is, without `{variables}` (B59). */
export type InstructionProvider = (context: ReadonlyContext) => string | Promise<string>;
export type Instruction = string | InstructionProvider;

/** Something that gives an agent tools: one, or several that are known only when it runs. */
export type ToolUnion = BaseTool | BaseToolset;

export interface LlmAgentConfig extends BaseAgentConfig {
  /** A model, or the name of one that LLMRegistry knows; without it that of the nearest agent above. */
  readonly model?: BaseLlm | string;
  readonly instruction?: Instruction;
  /** For the whole tree; only the root agent's counts (B59). */
  readonly globalInstruction?: Instruction;
  /** Never changes, so a provider can cache it; `instruction` then travels with the contents (B12). */
  readonly staticInstruction?: string | Content;
  readonly tools?: readonly ToolUnion[];
  readonly generateContentConfig?: GenerateContentConfig;
  readonly disallowTransferToParent?: boolean;
  readonly disallowTransferToPeers?: boolean;
  /** `none`: the model sees the current turn only (B10). */
  readonly includeContents?: 'default' | 'none';
  /** The arguments of this agent when it is used as a tool (B36). */
  readonly inputSchema?: ParametersSchema;
  /** The shape of its answer; with tools the model gives it by calling set_model_response (B38). */
  readonly outputSchema?: ParametersSchema;
  /** The state key its answer is kept under (B44). */
  readonly outputKey?: string;
  readonly planner?: BasePlanner;
  readonly codeExecutor?: BaseCodeExecutor;
  /** Steps of an author's own, each before or after a named one of the pipeline. */
  readonly requestProcessors?: readonly PlacedRequestProcessor[];
  readonly responseProcessors?: readonly PlacedResponseProcessor[];
  /** Bound of model-and-tools rounds in one turn of this agent; 0 is no bound. */
  readonly maxIterations?: number;
  /** `respond` lets the model read what went wrong; `raise` fails the run, as adk-python does (B26). */
  readonly toolErrors?: 'respond' | 'raise';
  readonly beforeModelCallback?: OneOrMany<BeforeModelCallback>;
  readonly afterModelCallback?: OneOrMany<AfterModelCallback>;
  readonly onModelErrorCallback?: OneOrMany<OnModelErrorCallback>;
  readonly beforeToolCallback?: OneOrMany<BeforeToolCallback>;
  readonly afterToolCallback?: OneOrMany<AfterToolCallback>;
  readonly onToolErrorCallback?: OneOrMany<OnToolErrorCallback>;
}
