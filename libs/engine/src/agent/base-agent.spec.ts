import { type Event } from '@skein/contracts';
import { FakeLlm, runTurn, text } from '@skein/testing';
import { createEvent } from '../event/create-event';
import { BaseAgent } from './base-agent';
import { CustomAgent } from './custom-agent';
import { type InvocationContext } from './invocation-context';
import { LlmAgent } from './llm-agent';
import { type LlmAgentConfig } from './llm-agent-config';
import { LoopAgent } from './loop-agent';

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

describe("an agent's callbacks that said nothing", () => {
  it('are not asked again after a crash, when they might say something else', async () => {
    const silent = anAgent({ beforeAgentCallback: () => undefined, afterAgentCallback: () => undefined });
    const { journal, events } = await runTurn(silent.agent);
    const changed = () => ({ parts: [{ text: 'Too late.' }] });

    const again = await runTurn(
      anAgent({ beforeAgentCallback: changed, afterAgentCallback: changed }).agent,
      { journal },
    );

    expect(again.events).toEqual(events);
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

  it('shares the id of its next whole event with the pieces before it, however many there are (B17)', async () => {
    const streaming = (...pieces: string[]) =>
      new CustomAgent({
        name: 'author',
        async *run() {
          const mine = { id: 'mine', invocationId: '', author: 'author', timestamp: 0 };
          for (const piece of pieces) {
            yield createEvent({ ...mine, partial: true, content: { parts: [{ text: piece }] } });
          }
          yield createEvent({ ...mine, content: { parts: [{ text: 'Hello' }] } });
        },
      });

    const first = await runTurn(streaming('He', 'llo'));
    const second = await runTurn(streaming('Hello'), { journal: first.journal });

    expect(textsOf(first.events)).toEqual(['He', 'llo', 'Hello']);
    expect(new Set(first.events.map(({ id }) => id)).size).toBe(1);
    expect(second.events.at(-1)).toEqual(first.events.at(-1));
    expect(second.journal.staged).toHaveLength(2);
  });

  it('is ended with its run, also while it says nothing', async () => {
    const controller = new AbortController();
    const silent = new CustomAgent({
      name: 'silent',
      // eslint-disable-next-line require-yield -- the point of it.
      async *run() {
        controller.abort(new Error('Cancelled.'));
      },
    });

    const { error } = await runTurn(new LoopAgent({ name: 'root', subAgents: [silent] }), {
      signal: controller.signal,
    });

    expect(error).toMatchObject({ message: 'Cancelled.' });
  });
});
