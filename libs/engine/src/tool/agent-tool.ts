import { AdkError, type Event, type Session } from '@skein/contracts';
import { type BaseAgent } from '../agent/base-agent';
import { type Context } from '../agent/context';
import { type Invocation } from '../agent/invocation';
import { type InvocationContext, isInvocationContext } from '../agent/invocation-context';
import { isLlmAgent } from '../agent/is-llm-agent';
import { countAnswers } from '../flow/answers-of';
import { latestVersions } from '../flow/merge-responses';
import { ChildJournal } from '../journal/child-journal';
import { type Frame } from '../journal/frame';
import { runSegment } from '../runner/run-segment';
import { BaseTool, type RunToolRequest } from './base-tool';
import { ForwardingArtifactService } from './forwarding-artifact-service';
import { type FunctionDeclaration } from './function-declaration';
import { refuseArguments } from './refuse-arguments';

export interface AgentToolParams {
  readonly agent: BaseAgent;
  /** Shows the agent's answer as it is, instead of having the caller's model put it into words. */
  readonly skipSummarization?: boolean;
  /** Whether the app's plugins take part in the agent's run. */
  readonly includePlugins?: boolean;
}

const REQUEST_SCHEMA = {
  type: 'object',
  properties: { request: { type: 'string' } },
  required: ['request'],
};
/** What the framework itself keeps in state is not the agent's business (B36). */
const INTERNAL_PREFIX = '_adk';

/** An agent that another calls as a tool: it runs on a session of its own and answers with what it said last (B36). */
export class AgentTool extends BaseTool {
  readonly agent: BaseAgent;
  readonly skipSummarization: boolean;
  readonly includePlugins: boolean;

  constructor({ agent, skipSummarization = false, includePlugins = true }: AgentToolParams) {
    super({ name: agent.name, description: agent.description, placement: 'inline' });
    this.agent = agent;
    this.skipSummarization = skipSummarization;
    this.includePlugins = includePlugins;
  }

  override getDeclaration(): FunctionDeclaration {
    const input = isLlmAgent(this.agent) ? this.agent.input : undefined;
    const parametersJsonSchema = input?.jsonSchema ?? REQUEST_SCHEMA;
    return { name: this.name, description: this.description, parametersJsonSchema };
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    const input = isLlmAgent(this.agent) ? this.agent.input : undefined;
    if (input) return refuseArguments(this.name, input, args);
    return typeof args.request === 'string' ? undefined : `${this.name} needs a \`request\`, a text.`;
  }

  /** Rejects with `tool.placement` where there is no run to be part of: in a worker. */
  override async runAsync({ args, toolContext }: RunToolRequest): Promise<unknown> {
    const outer = toolContext.contextScope;
    if (!isInvocationContext(outer) || !toolContext.frame) {
      throw new AdkError(
        'invalid',
        'tool.placement',
        `Tool "${this.name}" runs an agent, so it must be inline.`,
      );
    }
    const beganAfter = ChildJournal.beganAfter(outer.invocation.journal, toolContext.frame) ?? 0;
    // What it saw of the outer run then it sees again.
    await outer.replay.reach(beganAfter, toolContext.signal);
    if (this.skipSummarization) toolContext.actions.skipSummarization = true;
    const events: Event[] = [];
    for await (const event of this.#run(args, toolContext, { outer, frame: toolContext.frame })) {
      if (event.partial) continue;
      events.push(event);
      const { stateDelta, artifactDelta } = event.actions;
      toolContext.state.update(stateDelta);
      // From its events, since a worker may have saved them, or a run before a crash.
      toolContext.actions.artifactDelta = latestVersions(toolContext.actions.artifactDelta, artifactDelta);
    }
    toolContext.childAnswers = countAnswers(events);
    return this.#answerOf(events);
  }

  #run(
    args: Readonly<Record<string, unknown>>,
    toolContext: Context,
    { outer, frame }: { readonly outer: InvocationContext; readonly frame: Frame },
  ): AsyncGenerator<Event, void> {
    const text =
      typeof args.request === 'string' && !this.#hasInputSchema ? args.request : JSON.stringify(args);
    const newMessage = { role: 'user', parts: [{ text }] };
    const invocation: Invocation = {
      ...outer.invocation,
      app: { rootAgent: this.agent, plugins: this.includePlugins ? outer.plugins.plugins : [] },
      // The app's own settings bind here too, the bound of model calls for one.
      runConfig: outer.runConfig,
      session: this.#sessionFor(toolContext),
      userContent: newMessage,
      journal: new ChildJournal(outer.invocation.journal, frame, outer.replay.position),
      artifactService: outer.artifactService && new ForwardingArtifactService(toolContext),
      signal: toolContext.signal,
      answersBefore: (name) => outer.answersOf(name),
      outerReplay: outer.replay,
    };
    return runSegment(invocation, { frame, newMessage });
  }

  #sessionFor({ appName, userId, sessionId, state }: Context): Session {
    const copied = Object.entries(structuredClone(state.toRecord())).filter(
      ([key]) => !key.startsWith(INTERNAL_PREFIX),
    );
    return {
      id: sessionId,
      appName,
      userId,
      state: Object.fromEntries(copied),
      events: [],
      lastUpdateTime: 0,
    };
  }

  /** What the agent said last, without thoughts; parsed when it has an output schema; else what went wrong. */
  #answerOf(events: readonly Event[]): unknown {
    const last = events.findLast(({ content }) => content?.parts?.length);
    const failure = events.findLast(({ errorMessage }) => errorMessage)?.errorMessage;
    if (!last) return failure ?? '';
    const texts = (last.content?.parts ?? []).flatMap((part) => (part.thought ? [] : (part.text ?? [])));
    const text = texts.join('\n');
    const output = isLlmAgent(this.agent) ? this.agent.output : undefined;
    if (text === '' && failure) return failure;
    // Throws for an answer of another shape: the caller's model reads that.
    return output ? output.parse(JSON.parse(text) as Record<string, unknown>) : text;
  }

  get #hasInputSchema(): boolean {
    return isLlmAgent(this.agent) && this.agent.input !== undefined;
  }
}
