import { type AgentLoader } from '@skein/agent-loader';
import { AdkError, type CallRow, type ToolCallMessage } from '@skein/contracts';
import {
  AgentTool,
  type BaseAgent,
  BaseCodeExecutor,
  type BaseTool,
  BaseToolset,
  type CodeExecutionResult,
  createEventActions,
  FunctionTool,
  InMemoryArtifactService,
  InMemoryMemoryService,
  LlmAgent,
  type LlmAgentConfig,
  type ReadonlyContext,
  SequentialAgent,
} from '@skein/engine';
import { anEvent, aSession } from '@skein/testing';
import { LoadedToolCatalog } from './loaded-tool-catalog';

class AToolset extends BaseToolset {
  constructor(
    private readonly give: (context: ReadonlyContext) => readonly BaseTool[],
    prefix?: string,
  ) {
    super(prefix === undefined ? {} : { prefix });
  }

  override async getTools(context: ReadonlyContext): Promise<readonly BaseTool[]> {
    return this.give(context);
  }
}

class EchoExecutor extends BaseCodeExecutor {
  override async executeCode({ code }: { code: string }): Promise<CodeExecutionResult> {
    return { stdout: `ran ${code}`, stderr: '' };
  }
}

function aTool(name: string): FunctionTool {
  return new FunctionTool({ name, description: '', execute: () => `${name} ran` });
}

function anAgent(name: string, config: Partial<LlmAgentConfig> = {}): LlmAgent {
  return new LlmAgent({ name, ...config });
}

const memory = new InMemoryMemoryService();

function aCatalog(load: (appName: string) => BaseAgent): LoadedToolCatalog {
  // All of it that is used.
  const agents = {
    load: async (appName: string) => ({ rootAgent: load(appName) }),
    loaded: (appName: string) => ({ rootAgent: load(appName) }),
  } as unknown as AgentLoader;
  return new LoadedToolCatalog(agents, () => ({
    artifactService: new InMemoryArtifactService(),
    memoryService: memory,
  }));
}

function aMessage(call: Partial<CallRow>): ToolCallMessage {
  const dispatchId = `d-${'0'.repeat(32)}`;
  return {
    ...{ appName: 'app', userId: 'u', sessionId: 's', invocationId: 'e-1', state: { mood: 'calm' } },
    call: {
      ...{
        dispatchId,
        stepKey: '0/root.0/tools.0',
        index: 0,
        callId: 'c1',
        agentName: 'root',
        tool: 'probe',
      },
      ...{ pool: 'default', args: {}, policy: { timeoutMs: 1_000, maxAttempts: 1, sideEffect: 'once' } },
      ...call,
    },
    ticket: { dispatchId, attempt: 1, deadlineMs: 1, hmac: 'h' },
  };
}

/** What the tool of a call answers, or nothing when this worker does not know it. */
async function run(root: BaseAgent, call: Partial<CallRow>): Promise<unknown> {
  const message = aMessage(call);
  const { signal } = new AbortController();
  const found = await aCatalog(() => root).find(message, signal);
  const reporter = { progress: () => undefined, heartbeat: () => undefined };
  return found?.run({ message, signal, reporter, actions: createEventActions() });
}

describe('the tools a worker finds', () => {
  it.each<[string, () => BaseAgent, Partial<CallRow>]>([
    ["the root agent's", () => anAgent('root', { tools: [aTool('probe')] }), {}],
    [
      "an agent's far below the root",
      () => {
        const deep = anAgent('deep', { tools: [aTool('probe')] });
        return anAgent('root', { subAgents: [new SequentialAgent({ name: 'steps', subAgents: [deep] })] });
      },
      { agentName: 'deep' },
    ],
    [
      'of an agent that is a tool, and of one that is a tool of that',
      () => {
        const inner = anAgent('inner', { tools: [aTool('probe')] });
        const middle = anAgent('middle', { tools: [new AgentTool({ agent: inner })] });
        return anAgent('root', { tools: [new AgentTool({ agent: middle })] });
      },
      { agentName: 'inner' },
    ],
    [
      'of an agent that is a tool of a toolset',
      () => {
        const inner = anAgent('inner', { tools: [aTool('probe')] });
        return anAgent('root', { tools: [new AToolset(() => [new AgentTool({ agent: inner })])] });
      },
      { agentName: 'inner' },
    ],
    [
      'of a toolset, under the names the agent knows',
      () => anAgent('root', { tools: [new AToolset(() => [aTool('probe')], 'db')] }),
      { tool: 'db_probe' },
    ],
    [
      'behind a toolset that cannot give its tools',
      () => {
        const broken = new AToolset(() => {
          throw new Error('Away.');
        });
        return anAgent('root', { tools: [broken, aTool('probe')] });
      },
      {},
    ],
  ])('%s', async (_what, root, call) => {
    expect(await run(root(), call)).toBe('probe ran');
  });

  it('of a toolset that remembered an older list of them', async () => {
    let listed = [aTool('other')];
    class Remembering extends AToolset {
      override refresh(): void {
        listed = [aTool('other'), aTool('probe')];
      }
    }
    const root = anAgent('root', { tools: [new Remembering(() => listed)] });

    expect(await run(root, {})).toBe('probe ran');
    expect(await run(root, { tool: 'gone' })).toBeUndefined();
  });

  it('none while a toolset cannot give them, and why: it may go well another time', async () => {
    const away = new AToolset(() => {
      throw new Error('Away.');
    });
    const root = anAgent('root', { tools: [away] });

    await expect(run(root, {})).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'tool.unknown',
      message: expect.stringContaining('Away.') as string,
    });
  });

  it('an agent that reaches itself through its tools', async () => {
    const tools: BaseTool[] = [aTool('probe')];
    const root = anAgent('root', { tools: [new AToolset(() => tools)] });
    tools.push(new AgentTool({ agent: root }));

    expect(await run(root, {})).toBe('probe ran');
    expect(await run(root, { agentName: 'nobody' })).toBeUndefined();
  });

  it("an agent's code executor", async () => {
    const root = anAgent('root', { codeExecutor: new EchoExecutor() });

    const result = await run(root, { tool: 'adk_execute_code', args: { code: '1', language: 'python' } });

    expect(result).toEqual({ stdout: 'ran 1', stderr: '' });
  });

  it.each<[string, Partial<CallRow>]>([
    ["another agent's", { agentName: 'child', tool: 'probe' }],
    ['one that nobody has', { tool: 'gone' }],
    ['code of an agent that runs none', { tool: 'adk_execute_code' }],
  ])('but not %s', async (_what, call) => {
    const root = anAgent('root', { tools: [aTool('probe')], subAgents: [anAgent('child')] });

    expect(await run(root, call)).toBeUndefined();
  });

  it('nor any of an app that is not in its folder; of one that is broken it says so', async () => {
    const unknown = aCatalog(() => {
      throw new AdkError('not_found', 'app.unknown', 'App not found: app');
    });
    const broken = aCatalog(() => {
      throw new AdkError('invalid', 'agent.load-failed', 'Broken.');
    });

    const { signal } = new AbortController();
    expect(await unknown.find(aMessage({}), signal)).toBeUndefined();
    await expect(broken.find(aMessage({}), signal)).rejects.toMatchObject({ code: 'agent.load-failed' });
  });
});

describe('a tool that is known at once', () => {
  async function runKnown(root: BaseAgent, call: Partial<CallRow> = {}): Promise<unknown> {
    const message = aMessage(call);
    const known = aCatalog(() => root).known(message);
    const { signal } = new AbortController();
    const reporter = { progress: () => undefined, heartbeat: () => undefined };
    return known?.run({ message, signal, reporter, actions: createEventActions() });
  }

  it('is the one that is written down for its agent, wherever that stands, toolsets left alone', async () => {
    const silent = new AToolset(() => {
      throw new Error('Nobody asks.');
    });
    const inner = anAgent('inner', { tools: [silent, aTool('probe')] });
    const root = anAgent('root', { tools: [aTool('other'), new AgentTool({ agent: inner })] });

    expect(await runKnown(root, { agentName: 'inner' })).toBe('probe ran');
    expect(await runKnown(root, { tool: 'other' })).toBe('other ran');
  });

  it('is none of a toolset, of a code executor, of another agent or of none', async () => {
    const root = anAgent('root', {
      tools: [new AToolset(() => [aTool('listed')]), aTool('probe'), aTool('adk_execute_code')],
      codeExecutor: new EchoExecutor(),
      subAgents: [anAgent('child')],
    });

    expect(await runKnown(root, { tool: 'listed' })).toBeUndefined();
    expect(await runKnown(root, { tool: 'adk_execute_code' })).toBeUndefined();
    expect(await runKnown(root, { agentName: 'child' })).toBeUndefined();
    expect(await runKnown(root, { agentName: 'nobody' })).toBeUndefined();
  });
});

describe('what a tool sees in a worker', () => {
  function probing(look: (context: Parameters<BaseTool['runAsync']>[0]['toolContext']) => unknown): LlmAgent {
    const tool = new FunctionTool({
      name: 'probe',
      description: '',
      execute: (_args, context) => look(context),
    });
    return anAgent('root', { tools: [tool] });
  }

  it('the run, the state as of the call and its own ids', async () => {
    const seen = await run(
      probing(({ appName, agentName, invocationId, functionCallId, idempotencyKey, state }) => [
        ...[appName, agentName, invocationId, functionCallId, idempotencyKey],
        state.get('mood'),
      ]),
      {},
    );

    expect(seen).toEqual(['app', 'root', 'e-1', 'c1', `d-${'0'.repeat(32)}`, 'calm']);
  });

  it('what a human decided about the call (B33)', async () => {
    const confirmation = { hint: '', confirmed: true, payload: { limit: 3 } };

    const seen = await run(
      probing(({ toolConfirmation }) => toolConfirmation),
      { confirmation },
    );

    expect(seen).toEqual(confirmation);
  });

  it("the user's memory and the session's artifacts (B60, B61)", async () => {
    const said = anEvent({ author: 'user', content: { role: 'user', parts: [{ text: 'My cat is Tom.' }] } });
    await memory.addSessionToMemory(aSession({ id: 'earlier', events: [said] }));

    const seen = await run(
      probing(async (context) => [
        (await context.searchMemory('cat')).memories.length,
        await context.saveArtifact('a.txt', { text: 'A' }),
        await context.listArtifacts(),
      ]),
      {},
    );

    expect(seen).toEqual([1, 0, ['a.txt']]);
  });
});
