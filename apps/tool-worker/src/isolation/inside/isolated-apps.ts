import { AgentLoader } from '@skein/agent-loader';
import { type ToolCallMessage } from '@skein/contracts';
import { describeError } from '@skein/engine';
import { type Logger } from '@skein/platform';
import { LoadedToolCatalog } from '../../catalog/loaded-tool-catalog';
import { attemptTool } from '../../calls/attempt-tool';
import { withRetry } from '../../calls/retry-of';
import { type ExecutedTool, planeError } from '../../calls/tool-outcome';
import { type CallNews, type CallOrder, type IsolateSettings } from '../isolate-messages';
import { RunningCall } from './running-call';
import { WorkerServices } from './worker-services';

/** A call as it was begun: what it gives, and where to send what comes for it meanwhile. */
interface BegunCall {
  readonly executed: Promise<ExecutedTool>;
  order(order: CallOrder): void;
}

/** What a call has to do with the worker. */
interface Inside {
  readonly post: (news: CallNews) => void;
  readonly services: WorkerServices;
  readonly signal: AbortSignal;
}

/** The agents folder inside of a thread or a process: loaded once, kept warm, one call at a time. */
export class IsolatedApps {
  readonly #agents: AgentLoader;
  readonly #resultLimitBytes: number;

  constructor({ agentsDir, adkCompat, cacheDir, environment, resultLimitBytes }: IsolateSettings) {
    this.#agents = new AgentLoader({ agentsDir, adkCompat, cacheDir, environment });
    this.#resultLimitBytes = resultLimitBytes;
  }

  async preload(logger: Logger): Promise<void> {
    await this.#agents.preload((appName, error) =>
      logger.debug({ appName, reason: describeError(error) }, 'app is broken'),
    );
  }

  /** Ends what the toolsets hold: no call comes after it. */
  close(): Promise<void> {
    return this.#agents.close();
  }

  /** Ends of that what a later call opens anew, as sessions with servers. */
  closeIdle(): Promise<void> {
    return this.#agents.closeIdle();
  }

  /** Never rejects: what goes wrong is an outcome of the call. */
  begin(message: ToolCallMessage, tell: (news: CallNews) => void): BegunCall {
    const aborted = new AbortController();
    const call = new RunningCall(message.call.dispatchId);
    // What a tool leaves running tells of a call that is over: nobody's by now.
    const post = (news: CallNews): void => (call.isOver ? undefined : tell(news));
    post({ type: 'taken' });
    const services = new WorkerServices(post);
    const executed = call.during(() => this.#run(message, { post, services, signal: aborted.signal }));
    return {
      executed,
      order: (order) => {
        if (order.type !== 'abort') services.answered(order);
        else aborted.abort(new DOMException('The tool call was ended.', order.reason));
      },
    };
  }

  async #run(message: ToolCallMessage, { post, services, signal }: Inside): Promise<ExecutedTool> {
    const { tool: name } = message.call;
    try {
      const catalog = new LoadedToolCatalog(this.#agents, () => ({
        artifactService: services.artifacts,
        memoryService: services.memory,
      }));
      const tool = await catalog.find(message, signal);
      if (!tool) return planeError('tool.unknown', `The tool '${name}' is gone from its agent.`);
      post({ type: 'begun' });
      const reporter = {
        progress: (value: unknown) => post({ type: 'progress', value: value as never }),
        heartbeat: () => post({ type: 'heartbeat' }),
      };
      return await attemptTool(tool, { message, signal, reporter }, this.#resultLimitBytes);
    } catch (error) {
      const failed = planeError('tool.unknown', `Tool '${name}' cannot be loaded: ${describeError(error)}`);
      return withRetry(failed, error, { policy: message.call.policy, retryOn: undefined });
    }
  }
}
