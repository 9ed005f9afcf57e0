import { type AgentLoader } from '@skein/agent-loader';
import { AdkError } from '@skein/contracts';
import { type ArtifactService, type BaseAgent, type BaseTool, Context, LlmAgent } from '@skein/engine';
import { type RunnableTool, ToolCatalog, type ToolRun } from './tool-catalog';

/** The tools of the agents folder, with ADK's tool context around each run. */
export class LoadedToolCatalog extends ToolCatalog {
  constructor(
    private readonly agents: AgentLoader,
    private readonly artifacts: ArtifactService,
  ) {
    super();
  }

  override async find(appName: string, agentName: string, name: string): Promise<RunnableTool | undefined> {
    const agent = await this.#rootAgentOf(appName);
    const tool = agent && toolsOf(agent, agentName).find((candidate) => candidate.name === name);
    return tool && { run: (run) => this.#run(tool, run) };
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

  async #run(tool: BaseTool, { message, signal, actions }: ToolRun): Promise<unknown> {
    const { appName, userId, sessionId, invocationId, call, state } = message;
    const scope = {
      invocationId,
      session: { appName, userId, id: sessionId, state },
      agentName: call.agentName,
      artifactService: this.artifacts,
      signal,
    };
    const options = { actions, functionCallId: call.callId, idempotencyKey: call.dispatchId };
    return tool.runAsync({ args: call.args, toolContext: new Context(scope, options) });
  }
}

function toolsOf(agent: BaseAgent, agentName: string): readonly BaseTool[] {
  return agent instanceof LlmAgent && agent.name === agentName ? agent.tools : [];
}
