import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { AgentTool } from '../tool/agent-tool';
import { type BaseTool } from '../tool/base-tool';
import { type BaseAgent } from './base-agent';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { RoutedAgent } from './routed-agent';

/** An agent that runs another one, which is named later. */
function aCaller(name: string, next: () => BaseAgent): CustomAgent {
  return new CustomAgent({ name, run: (context) => next().runAsync(context) });
}

describe('agents that run each other without end', () => {
  it.each([
    [
      'one that runs itself',
      () => {
        const self: CustomAgent = aCaller('self', () => self);
        return self;
      },
    ],
    [
      'two that run one another',
      () => {
        const one: CustomAgent = aCaller('one', () => two);
        const two: CustomAgent = aCaller('two', () => one);
        return one;
      },
    ],
    [
      'one that two ways of a router lead back to, without each being tried at each depth',
      () => {
        const agents = ['left', 'right'].map((name) => aCaller(name, () => outer));
        const outer: RoutedAgent = new RoutedAgent({
          name: 'outer',
          agents,
          router: (_agents, _context, failure) => (failure ? 'right' : 'left'),
        });
        return outer;
      },
    ],
    [
      'one that is a tool of itself',
      () => {
        const tools: BaseTool[] = [];
        const model = new (class extends FakeLlm {
          override async *generateContentAsync() {
            yield calls({ name: 'self', args: { request: 'again' } });
          }
        })([]);
        const self = new LlmAgent({ name: 'self', model, tools, toolErrors: 'raise' });
        tools.push(new AgentTool({ agent: self }));
        return self;
      },
    ],
  ])('end with an error: %s', async (_which, agent) => {
    const { error, session } = await runTurn(agent());

    expect(error).toMatchObject({
      code: expect.stringMatching(/^agent\.depth$|^tool\.threw$/),
      message: expect.stringMatching(/Agents run each other more than 200 deep, "\w+" the last one\./),
    });
    const next = new LlmAgent({ name: 'ok', model: new FakeLlm([[text('fine')]]) });
    const { events } = await runTurn(next, { session, invocationId: `e-${'1'.repeat(32)}` });
    expect(events.at(-1)?.content).toEqual(text('fine').content);
  });

  it('are not those that stand as deep below one another as anybody can mean', async () => {
    let agent: BaseAgent = new LlmAgent({ name: 'leaf', model: new FakeLlm([[text('fine')]]) });
    for (let depth = 0; depth < 90; depth += 1) {
      const below = agent;
      agent = aCaller(`a${depth}`, () => below);
    }

    expect((await runTurn(agent)).error).toBeUndefined();
  });
});
