import { type AgentLoader } from '@skein/agent-loader';
import { AdkError, type ToolCallMessage } from '@skein/contracts';
import {
  type BaseAgent,
  type BaseTool,
  Context,
  type ContextScope,
  isBaseToolset,
  isLlmAgent,
  walkAgents,
} from '@skein/engine';
import { type IsolatePools } from '../isolation/isolate-pools';
import { type RunnableTool, ToolCatalog, type ToolRun } from './tool-catalog';
import { type LoopWatchdog } from '../watchdog/loop-watchdog';
import { toolOfCall, writtenTool } from './tool-of-call';

/** What a call's tool may ask of artifacts and memory, on behalf of that call alone. */
export type ServicesOfCall = (
  message: ToolCallMessage,
) => Pick<ContextScope, 'artifactService' | 'memoryService'>;

/** The tools of the agents folder, with ADK's tool context around each run. */
export class LoadedToolCatalog extends ToolCatalog {
  constructor(
    private readonly agents: AgentLoader,
    private readonly servicesOf: ServicesOfCall,
    /** None inside of a thread or process: a tool runs right there. */
    private readonly isolates?: IsolatePools,
    private readonly watchdog?: LoopWatchdog,
  ) {
    super();
  }

  override known({ appName, call }: ToolCallMessage): RunnableTool | undefined {
    const app = this.agents.loaded(appName);
    const tool = app && writtenTool(app.rootAgent, call);
    return tool && this.#runnable(tool);
  }

  override async find(message: ToolCallMessage, signal: AbortSignal): Promise<RunnableTool | undefined> {
    const root = await this.#rootAgentOf(message.appName);
    if (!root) return undefined;
    const scope = this.#scopeOf(message, signal);
    const tool = await toolOfCall(root, message.call, scope);
    return tool && this.#runnable(tool);
  }

  /** Has threads and processes ready for the tools that ask for them; a toolset's are known with their first call. */
  async prepare(appNames: readonly string[]): Promise<void> {
    for (const appName of appNames) {
      // A broken app is told of where it is loaded.
      const root = await this.#rootAgentOf(appName).catch(() => undefined);
      for (const tool of root ? toolsBelow(root) : []) this.isolates?.prepare(tool);
    }
  }

  #runnable(tool: BaseTool): RunnableTool {
    const runnable = { retryOn: tool.retryOn, run: (run: ToolRun) => this.#runWatched(tool, run) };
    const { isolates, servicesOf } = this;
    if (!isolates?.isIsolated(tool)) return runnable;
    return {
      ...runnable,
      runIsolated: (attempt) => isolates.run(tool, attempt, servicesOf(attempt.message)),
    };
  }

  /** An app that is not in this worker's folder may be in another's: then its tool is unknown here, no more. */
  async #rootAgentOf(appName: string): Promise<BaseAgent | undefined> {
    try {
      return (await this.agents.load(appName)).rootAgent;
    } catch (error) {
      if (AdkError.isInstance(error) && error.code === 'app.unknown') return undefined;
      throw error;
    }
  }

  #runWatched(tool: BaseTool, run: ToolRun): Promise<unknown> {
    const runTool = (): Promise<unknown> => this.#run(tool, run);
    return this.watchdog ? this.watchdog.during(run.message, runTool) : runTool();
  }

  async #run(tool: BaseTool, { message, signal, reporter, actions }: ToolRun): Promise<unknown> {
    const { call } = message;
    const toolContext = new Context(this.#scopeOf(message, signal), {
      actions,
      reporter,
      functionCallId: call.callId,
      idempotencyKey: call.dispatchId,
      toolConfirmation: call.confirmation,
    });
    return tool.runAsync({ args: call.args, toolContext });
  }

  #scopeOf(message: ToolCallMessage, signal: AbortSignal): ContextScope {
    const { appName, userId, sessionId, invocationId, call, state, userContent } = message;
    return {
      invocationId,
      session: { appName, userId, id: sessionId, state },
      agentName: call.agentName,
      userContent,
      ...this.servicesOf(message),
      signal,
    };
  }
}

/** Those for workers that are written down in the tree: a toolset would have to be asked. */
function toolsBelow(root: BaseAgent): BaseTool[] {
  const tools = [...walkAgents(root)].flatMap((agent) => (isLlmAgent(agent) ? agent.tools : []));
  return tools.filter((tool): tool is BaseTool => !isBaseToolset(tool) && tool.placement === 'worker');
}
