import { type Event } from '@skein/contracts';
import { FakeLlm, runTurn, text } from '@skein/testing';
import { createEvent } from '../event/create-event';
import { FunctionTool } from '../tool/function-tool';
import { BaseAgent, type BaseAgentConfig } from './base-agent';
import { type InvocationContext } from './invocation-context';
import { LlmAgent } from './llm-agent';
import { LoopAgent } from './loop-agent';
import { RoutedAgent } from './routed-agent';
import { SequentialAgent } from './sequential-agent';

interface EchoConfig extends BaseAgentConfig {
  readonly word: string;
}

class Echo extends BaseAgent<EchoConfig> {
  readonly word: string;

  constructor(config: EchoConfig) {
    super(config);
    this.word = config.word;
  }

  protected override async *runAsyncImpl({ invocationId }: InvocationContext): AsyncGenerator<Event, void> {
    yield createEvent({ invocationId, content: { parts: [{ text: this.word }] } });
  }
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('a copy of an agent', () => {
  it('is of its class, with what is said anew and all else as it was', () => {
    const model = new FakeLlm([[text('Hello.')]]);
    const tools = [...new LlmAgent({ name: 'none' }).tools];
    const agent = new LlmAgent({ name: 'guide', model, instruction: 'Guide.', outputKey: 'said', tools });

    const copy = agent.clone({ name: 'second', instruction: 'Lead.' });

    expect(copy).toBeInstanceOf(LlmAgent);
    expect(copy).toMatchObject({ name: 'second', instruction: 'Lead.', outputKey: 'said', model });
    expect(agent).toMatchObject({ name: 'guide', instruction: 'Guide.' });
  });

  it('has copies of the agents below it, and stands below none', () => {
    const leaf = new Echo({ name: 'leaf', word: 'Hi.' });
    const loop = new LoopAgent({ name: 'loop', maxIterations: 2, subAgents: [leaf] });
    const root = new SequentialAgent({ name: 'root', subAgents: [loop] });

    const copy = loop.clone();

    expect(copy.maxIterations).toBe(2);
    expect(copy.parentAgent).toBeUndefined();
    expect(copy.findAgent('leaf')).toMatchObject({ word: 'Hi.', parentAgent: copy });
    expect(copy.findAgent('leaf')).not.toBe(leaf);
    expect([leaf.parentAgent, loop.parentAgent]).toEqual([loop, root]);
  });

  it('runs, of a class of an author too', async () => {
    const root = new SequentialAgent({ name: 'root', subAgents: [new Echo({ name: 'one', word: 'One.' })] });
    const second = root.findAgent('one')?.clone({ name: 'two', word: 'Two.' } as Partial<EchoConfig>);
    const both = root.clone({
      subAgents: [new Echo({ name: 'one', word: 'One.' }), ...(second ? [second] : [])],
    });

    expect(textsOf((await runTurn(both)).events)).toEqual(['One.', 'Two.']);
  });

  it('of an agent that chooses has copies of those it chooses from, under their keys', async () => {
    const echo = new Echo({ name: 'one', word: 'One.' });
    const listed = new RoutedAgent({ name: 'desk', agents: [echo], router: () => 'one' });
    const keyed = listed.clone({
      agents: { first: new Echo({ name: 'two', word: 'Two.' }) },
      router: () => 'first',
    });

    expect(textsOf((await runTurn(listed.clone())).events)).toEqual(['One.']);
    expect(textsOf((await runTurn(keyed.clone({ name: 'office' }))).events)).toEqual(['Two.']);
    expect(echo.parentAgent).toBe(listed);
  });

  it('has its own tools and model settings', () => {
    const agent = new LlmAgent({ name: 'guide', tools: [], generateContentConfig: { temperature: 0 } });

    const copy = agent.clone();
    (copy.tools as unknown[]).push(new FunctionTool({ name: 'f', description: 'F.', execute: () => 1 }));
    copy.generateContentConfig.temperature = 1;

    expect(agent).toMatchObject({ tools: [], generateContentConfig: { temperature: 0 } });
  });

  it('is refused by a class whose constructor makes another agent of it, until it overrides clone', () => {
    class Greeter extends LlmAgent {
      constructor(name = 'greeter') {
        super({ name: typeof name === 'string' ? name : 'greeter' });
      }
    }
    class Copied extends Greeter {
      override clone({ name }: { name?: string } = {}): this {
        return new Copied(name) as this;
      }
    }

    expect(() => new Greeter().clone({ name: 'second' })).toThrow(
      expect.objectContaining({ code: 'agent.clone', message: expect.stringContaining('override clone()') }),
    );
    expect(new Copied().clone({ name: 'second' }).name).toBe('second');
  });

  it('is put below an agent by that one alone', () => {
    const agent = new Echo({ name: 'one', word: 'One.' });
    const parentAgent = new SequentialAgent({ name: 'root' });

    expect(() => agent.clone({ parentAgent } as Partial<EchoConfig>)).toThrow(
      expect.objectContaining({ code: 'agent.clone' }),
    );
  });
});

describe('a live session', () => {
  it('is refused, whatever the agent would do in one', async () => {
    class Live extends Echo {
      // eslint-disable-next-line require-yield -- nobody asks for anything of it.
      protected override async *runLiveImpl(): AsyncGenerator<Event, void> {
        throw new Error('It ran.');
      }
    }
    const agent = new Live({ name: 'one', word: 'One.' });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['One.']);
    // Nothing of the context is looked at.
    await expect(agent.runLive({} as InvocationContext).next()).rejects.toMatchObject({ code: 'agent.live' });
  });
});
