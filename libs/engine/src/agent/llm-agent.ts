import { type Event } from '@skein/contracts';
import { runLlmFlow } from '../flow/llm-flow';
import { type BaseLlm, isBaseLlm } from '../model/base-llm';
import { type GenerateContentConfig } from '../model/llm-request';
import { LLMRegistry } from '../model/llm-registry';
import { type BaseTool } from '../tool/base-tool';
import { BaseAgent, type BaseAgentConfig } from './base-agent';
import {
  type AfterModelCallback,
  type AfterToolCallback,
  type BeforeModelCallback,
  type BeforeToolCallback,
  type OneOrMany,
  type OnModelErrorCallback,
  type OnToolErrorCallback,
} from './callbacks';
import { type ReadonlyContext } from './context';
import { type InvocationContext } from './invocation-context';

/** An instruction made anew for each model call; it is taken as it is, without `{variables}` (B59). */
export type InstructionProvider = (context: ReadonlyContext) => string | Promise<string>;

export interface LlmAgentConfig extends BaseAgentConfig {
  /** A model, or the name of one that LLMRegistry knows. */
  readonly model: BaseLlm | string;
  readonly instruction?: string | InstructionProvider;
  readonly tools?: readonly BaseTool[];
  readonly generateContentConfig?: GenerateContentConfig;
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

const DEFAULT_MAX_ITERATIONS = 25;

/** An agent that a model leads: it answers, or has tools called and reads their results, until it is done. */
export class LlmAgent extends BaseAgent {
  readonly instruction: string | InstructionProvider;
  readonly tools: readonly BaseTool[];
  readonly generateContentConfig: GenerateContentConfig;
  readonly maxIterations: number;
  readonly toolErrors: 'respond' | 'raise';
  readonly callbacks: Pick<
    LlmAgentConfig,
    | 'beforeModelCallback'
    | 'afterModelCallback'
    | 'onModelErrorCallback'
    | 'beforeToolCallback'
    | 'afterToolCallback'
    | 'onToolErrorCallback'
  >;
  readonly #model: BaseLlm | string;

  constructor(config: LlmAgentConfig) {
    super(config);
    this.#model = config.model;
    this.instruction = config.instruction ?? '';
    this.tools = config.tools ?? [];
    this.generateContentConfig = config.generateContentConfig ?? {};
    this.maxIterations = config.maxIterations ?? DEFAULT_MAX_ITERATIONS;
    this.toolErrors = config.toolErrors ?? 'respond';
    this.callbacks = config;
  }

  /** The model itself; a name is looked up at each call, so that adapters may register late. */
  get canonicalModel(): BaseLlm {
    return isBaseLlm(this.#model) ? this.#model : LLMRegistry.newLlm(this.#model);
  }

  protected override runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    return runLlmFlow(this, context);
  }
}
