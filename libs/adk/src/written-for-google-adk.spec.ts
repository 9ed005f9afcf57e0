import {
  BaseAgent,
  BaseTool,
  BaseToolset,
  createEvent,
  type Event,
  FunctionTool,
  InMemoryRunner,
  type InvocationContext,
  LlmAgent,
  type LlmAgentConfig,
  ScriptedLlm,
} from './index';

/** A content as google-genai types it: every field of every part may be missing. */
interface GenaiContent {
  role?: string;
  parts?: { text?: string; functionCall?: { id?: string; name?: string } }[];
}

class Weather extends BaseTool {
  constructor(readonly asked: unknown[] = []) {
    super({ name: 'weather', description: 'The weather.' });
  }

  override _getDeclaration(): object {
    return { parameters: { type: 'OBJECT', properties: { city: { type: 'STRING', nullable: true } } } };
  }

  override async runAsync({ args }: { args: Record<string, unknown> }): Promise<unknown> {
    this.asked.push(args);
    return { report: 'Rain.' };
  }
}

class Tools extends BaseToolset {
  override async getTools(): Promise<BaseTool[]> {
    return [new Weather(), new FunctionTool({ name: 'other', description: 'Other.', execute: () => 1 })];
  }

  override async close(): Promise<void> {
    // Theirs is abstract.
  }
}

class Greeter extends BaseAgent {
  protected override async *runAsyncImpl({
    invocationId,
    branch,
  }: InvocationContext): AsyncGenerator<Event, void> {
    yield createEvent({ invocationId, branch, content: { parts: [{ text: 'Hello.' }] } });
  }
}

describe('classes written for @google/adk', () => {
  it('declares a tool by the name and the schema of theirs', () => {
    const tool = new Weather();

    expect(tool.getDeclaration()).toEqual({
      name: 'weather',
      description: 'The weather.',
      parametersJsonSchema: { type: 'object', properties: { city: { type: ['string', 'null'] } } },
    });
  });

  it('tells the declaration of a tool of ours by their name', () => {
    const tool = new FunctionTool({ name: 'one', description: 'One.', execute: () => 1 });

    expect(tool._getDeclaration()).toEqual({ name: 'one', description: 'One.' });
    expect(
      new (class extends Weather {
        override _getDeclaration = () => ({});
      })().getDeclaration()?.name,
    ).toBe('weather');
  });

  it('has such a tool called', async () => {
    const tool = new Weather();
    const call = {
      content: { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] },
    };
    const model = new ScriptedLlm({
      responses: [call, { content: { role: 'model', parts: [{ text: 'Take an umbrella.' }] } }],
    });

    const events = await run(new LlmAgent({ name: 'root', model, tools: [tool] }));

    expect(tool.asked).toEqual([{ city: 'Oslo' }]);
    expect(events.at(-1)?.content?.parts).toEqual([{ text: 'Take an umbrella.' }]);
  });

  it.each([
    ['names', ['other'], ['p_other']],
    ['a predicate', (tool: BaseTool) => tool.name === 'weather', ['p_weather']],
    ['no names at all, which is no filter', [], ['p_weather', 'p_other']],
  ])('takes the filter and the prefix of a toolset one after the other: %s', async (_what, filter, names) => {
    const tools = await new Tools(filter, 'p').getToolsWithPrefix(undefined as never);

    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  it('gives an event of an agent the place it left open', async () => {
    const [event] = await run(new Greeter({ name: 'greeter' }));

    expect(event).toMatchObject({ author: 'greeter', invocationId: expect.stringMatching(/^e-/) });
    expect(event?.id).not.toBe('');
    expect(event?.timestamp).toBeGreaterThan(0);
  });

  it("takes google-genai's content from a callback and as a message", async () => {
    const said: GenaiContent = { parts: [{ text: 'Not today.' }] };
    const config: LlmAgentConfig = { name: 'root', beforeAgentCallback: () => said };

    const events = await run(new LlmAgent(config), { role: 'user', parts: [{ text: 'hello' }] });

    expect(events.at(-1)?.content).toEqual({ role: 'model', parts: [{ text: 'Not today.' }] });
  });

  it('refuses a message of another shape before anything is stored', async () => {
    const nameless: GenaiContent = { parts: [{ functionCall: {} }] };

    await expect(run(new Greeter({ name: 'greeter' }), nameless)).rejects.toMatchObject({
      code: 'message.malformed',
    });
  });

  it('shows an agent what it was made of', () => {
    const beforeModelCallback = (): undefined => undefined;
    const agent = new LlmAgent({ name: 'root', model: 'gemini-2.5-flash', beforeModelCallback });

    expect(agent).toMatchObject({ model: 'gemini-2.5-flash', beforeModelCallback });
    expect(agent.afterToolCallback).toBeUndefined();
  });
});

async function run(
  agent: BaseAgent,
  newMessage: GenaiContent = { parts: [{ text: 'hello' }] },
): Promise<Event[]> {
  const runner = new InMemoryRunner({ agent, appName: 'app' });
  const { id: sessionId } = await runner.sessionService.createSession({ appName: 'app', userId: 'ada' });
  const events: Event[] = [];
  for await (const event of runner.runAsync({ userId: 'ada', sessionId, newMessage })) events.push(event);
  return events;
}
