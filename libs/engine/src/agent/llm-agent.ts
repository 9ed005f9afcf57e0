import { AdkError, type Content, type Event } from '@skein/contracts';
import { type BaseCodeExecutor } from '../code-executor/base-code-executor';
import { runLlmFlow } from '../flow/llm-flow';
import { keepOutput, withOutput } from '../flow/keep-output';
import { orderRequestProcessors } from '../flow/request-processors';
import { orderResponseProcessors } from '../flow/response-processors';
import { type RequestProcessor } from '../flow/request-processor';
import { type ResponseProcessor } from '../flow/response-processor';
import { type BaseLlm, isBaseLlm } from '../model/base-llm';
import { type GenerateContentConfig } from '../model/llm-request';
import { LLMRegistry } from '../model/llm-registry';
import { type BasePlanner } from '../planner/base-planner';
import { isBaseTool } from '../tool/base-tool';
import { type Parameters, parametersOf } from '../tool/function-declaration';
import { BaseAgent } from './base-agent';
import { endOfAgentEvent, isPaused } from './checkpoint';
import { type InvocationContext } from './invocation-context';
import { isLlmAgent, LLM_AGENT } from './is-llm-agent';
import { type Instruction, type LlmAgentConfig, type ToolUnion } from './llm-agent-config';

type ModelAndToolCallbacks = Pick<
  LlmAgentConfig,
  | 'beforeModelCallback'
  | 'afterModelCallback'
  | 'onModelErrorCallback'
  | 'beforeToolCallback'
  | 'afterToolCallback'
  | 'onToolErrorCallback'
>;

const DEFAULT_MAX_ITERATIONS = 25;
/** An agent that a model leads: it answers, or has tools called and reads their results, until it is done. */
export class LlmAgent extends BaseAgent<LlmAgentConfig> {
  readonly [LLM_AGENT] = true;
  override readonly inOrder = true;
  readonly instruction: Instruction;
  readonly globalInstruction: Instruction;
  readonly staticInstruction: string | Content | undefined;
  readonly tools: readonly ToolUnion[];
  readonly generateContentConfig: GenerateContentConfig;
  readonly disallowTransferToParent: boolean;
  readonly disallowTransferToPeers: boolean;
  readonly includeContents: 'default' | 'none';
  readonly outputKey: string | undefined;
  readonly planner: BasePlanner | undefined;
  readonly codeExecutor: BaseCodeExecutor | undefined;
  readonly maxIterations: number;
  readonly toolErrors: 'respond' | 'raise';
  readonly callbacks: ModelAndToolCallbacks;
  /** As a model and a check can use it. */
  readonly input: Parameters | undefined;
  readonly output: Parameters | undefined;
  readonly requestProcessors: readonly RequestProcessor[];
  readonly responseProcessors: readonly ResponseProcessor[];
  /** As it was given; `canonicalModel` is the one that is asked. */
  readonly model: BaseLlm | string | undefined;

  /** Throws `agent.duplicate-tool`, `agent.generate-content-config`, `tool.schema`, `agent.processor-place`, or what BaseAgent refuses. */
  constructor(config: LlmAgentConfig) {
    super(config);
    assertToolNames(config.name, config.tools ?? []);
    assertSettings(config.name, config.generateContentConfig ?? {});
    this.model = config.model;
    this.instruction = config.instruction ?? '';
    this.globalInstruction = config.globalInstruction ?? '';
    this.staticInstruction = config.staticInstruction;
    this.tools = config.tools ?? [];
    this.generateContentConfig = config.generateContentConfig ?? {};
    this.disallowTransferToParent = config.disallowTransferToParent ?? false;
    this.disallowTransferToPeers = config.disallowTransferToPeers ?? false;
    this.includeContents = config.includeContents ?? 'default';
    this.input = config.inputSchema && parametersOf(config.name, config.inputSchema);
    this.output = config.outputSchema && parametersOf(config.name, config.outputSchema);
    this.outputKey = config.outputKey;
    this.planner = config.planner;
    this.codeExecutor = config.codeExecutor;
    this.maxIterations = config.maxIterations ?? DEFAULT_MAX_ITERATIONS;
    this.toolErrors = config.toolErrors ?? 'respond';
    this.callbacks = config;
    this.requestProcessors = orderRequestProcessors(config.requestProcessors);
    this.responseProcessors = orderResponseProcessors(config.responseProcessors);
  }

  get beforeModelCallback(): LlmAgentConfig['beforeModelCallback'] {
    return this.callbacks.beforeModelCallback;
  }

  get afterModelCallback(): LlmAgentConfig['afterModelCallback'] {
    return this.callbacks.afterModelCallback;
  }

  get beforeToolCallback(): LlmAgentConfig['beforeToolCallback'] {
    return this.callbacks.beforeToolCallback;
  }

  get afterToolCallback(): LlmAgentConfig['afterToolCallback'] {
    return this.callbacks.afterToolCallback;
  }

  /** The model itself; a name is looked up at each call, so that adapters may register late. */
  get canonicalModel(): BaseLlm {
    if (isBaseLlm(this.model)) return this.model;
    if (this.model !== undefined) return LLMRegistry.newLlm(this.model);
    for (let above = this.parentAgent; above; above = above.parentAgent) {
      if (isLlmAgent(above)) return above.canonicalModel;
    }
    throw new AdkError(
      'invalid',
      'agent.no-model',
      `Agent "${this.name}" has no model, and none above it has.`,
    );
  }

  /** A copy with tools and model settings of its own; the agent itself keeps the lists it was given, which may grow. */
  override clone(overrides: Partial<LlmAgentConfig> = {}): this {
    const tools = [...this.tools];
    const generateContentConfig = { ...this.generateContentConfig };
    return super.clone({ tools, generateContentConfig, ...overrides });
  }

  override inItsPlace(event: Event): Event {
    return withOutput(this, event);
  }

  protected override runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    const events = runLlmFlow(this, context);
    const kept = this.outputKey === undefined ? events : keepOutput(this, events);
    // Only of a resumable app anything is told behind them.
    return context.agentStates ? toItsEnd(kept, context) : kept;
  }
}

async function* toItsEnd(
  events: AsyncGenerator<Event, void>,
  context: InvocationContext,
): AsyncGenerator<Event, void> {
  yield* events;
  if (isPaused(context) || context.endInvocation) return;
  const end = endOfAgentEvent(context);
  if (end) yield end;
}

/** What an agent says of itself elsewhere; here it would be lost, or stand beside it. */
const OWN_PLACES: Readonly<Record<string, string>> = {
  tools: 'tools',
  systemInstruction: 'instruction',
  responseSchema: 'outputSchema',
  responseJsonSchema: 'outputSchema',
};

function assertSettings(agentName: string, settings: GenerateContentConfig): void {
  for (const [setting, place] of Object.entries(OWN_PLACES)) {
    if (settings[setting] === undefined) continue;
    const reason = `Agent "${agentName}": generateContentConfig.${setting} must be given as \`${place}\` of the agent.`;
    throw new AdkError('invalid', 'agent.generate-content-config', reason);
  }
}

/** What toolsets bring is known only in a run; what is written down is refused when it is written down. */
function assertToolNames(agentName: string, tools: readonly ToolUnion[]): void {
  const names = tools.filter(isBaseTool).map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate === undefined) return;
  throw new AdkError(
    'invalid',
    'agent.duplicate-tool',
    `Agent "${agentName}" has two tools called "${duplicate}".`,
  );
}
