import { type Event } from '@skein/contracts';
import { FakeLlm, runTurn, text } from '@skein/testing';
import { createEvent } from '../event/create-event';
import { BaseAgent } from './base-agent';
import { type InvocationContext } from './invocation-context';
import { LlmAgent } from './llm-agent';
import { type LlmAgentConfig } from './llm-agent-config';

function anAgent(config: Partial<LlmAgentConfig> = {}) {
  const model = new FakeLlm([[text('model')]]);
  return { model, agent: new LlmAgent({ name: 'root', model, ...config }) };
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe("an agent's callbacks (B40)", () => {
  it('before_agent that says something takes the place of the agent and of after_agent', async () => {
    const afterAgentCallback = jest.fn();
    const { agent, model } = anAgent({
      beforeAgentCallback: ({ state }) => {
        state.set('seen', true);
        return { parts: [{ text: 'before' }] };
      },
      afterAgentCallback,
    });

    const { events } = await runTurn(agent);

    expect(events).toMatchObject([
      {
        author: 'root',
        content: { role: 'model', parts: [{ text: 'before' }] },
        actions: { stateDelta: { seen: true } },
      },
    ]);
    expect(model.requests).toEqual([]);
    expect(afterAgentCallback).not.toHaveBeenCalled();
  });

  it('before_agent that only sets state leaves an event without content, and the agent runs', async () => {
    const { agent } = anAgent({
      beforeAgentCallback: ({ state }) => {
        state.set('seen', true);
        return undefined;
      },
    });

    const { events } = await runTurn(agent);

    expect(textsOf(events)).toEqual([undefined, 'model']);
    expect(events[0]?.content).toBeUndefined();
    expect(events[0]?.actions.stateDelta).toEqual({ seen: true });
  });

  it('after_agent adds an event to those of the agent', async () => {
    const { agent } = anAgent({ afterAgentCallback: () => ({ parts: [{ text: 'after' }] }) });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['model', 'after']);
  });

  it('that say nothing and set nothing leave no event', async () => {
    const { agent } = anAgent({ beforeAgentCallback: () => undefined, afterAgentCallback: () => undefined });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['model']);
  });

  it('are asked in order until one says something', async () => {
    const last = jest.fn();
    const beforeAgentCallback = [() => undefined, () => ({ parts: [{ text: 'second' }] }), last];

    const { events } = await runTurn(anAgent({ beforeAgentCallback }).agent);

    expect(textsOf(events)).toEqual(['second']);
    expect(last).not.toHaveBeenCalled();
  });
});

describe("an agent's name (B45)", () => {
  it.each(['root', '_a1', 'Wetter_Ägypten'])('may be %j', (name) => {
    expect(anAgent({ name }).agent.name).toBe(name);
  });

  it.each(['user', '', '1st', 'a-b', 'a b', 'a.b'])('may not be %j', (name) => {
    expect(() => anAgent({ name })).toThrow(expect.objectContaining({ code: 'agent.name' }));
  });
});

class Author extends BaseAgent {
  protected override async *runAsyncImpl({ invocationId }: InvocationContext): AsyncGenerator<Event, void> {
    for (const said of ['one', 'two']) {
      const content = { role: 'model', parts: [{ text: said }] };
      yield createEvent({ id: 'my own', invocationId, author: this.name, timestamp: 1, content });
    }
  }
}

describe("an author's own agent", () => {
  it('gets ids for its events that a second run finds again', async () => {
    const agent = new Author({ name: 'author' });

    const first = await runTurn(agent);
    const second = await runTurn(agent, { journal: first.journal, now: () => 2000 });

    expect(first.journal.stepKeys).toEqual(['0/user.0', '0/author.0/event.0', '0/author.0/event.1']);
    expect(new Set(first.events.map(({ id }) => id)).size).toBe(2);
    expect(second.events).toEqual(first.events);
  });
});
