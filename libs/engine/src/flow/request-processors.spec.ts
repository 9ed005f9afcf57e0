import { type Event } from '@skein/contracts';
import { anEvent, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { type InvocationContext } from '../agent/invocation-context';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { BaseLlmRequestProcessor } from './request-processor';
import { requestProcessors } from './request-processors';
import { BaseLlmResponseProcessor } from './response-processor';

/** Notes each piece of an answer, and the whole of it. */
class Counting extends BaseLlmResponseProcessor {
  override async *runAsync(_context: InvocationContext, response: LlmResponse): AsyncGenerator<Event, void> {
    yield anEvent({ actions: { stateDelta: { last: response.content?.parts?.[0]?.text } } });
  }
}

class Noting extends BaseLlmRequestProcessor {
  seen: string[] = [];

  override async *runAsync(_context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void> {
    this.seen.push(request.config.systemInstruction ?? '', String(request.contents.length));
    yield anEvent({ content: { role: 'model', parts: [{ text: 'noted' }] } });
  }
}

class Shouting extends BaseLlmResponseProcessor {
  override async *runAsync(_context: InvocationContext, response: LlmResponse): AsyncGenerator<Event, void> {
    yield anEvent({ content: { role: 'model', parts: [{ text: 'about to shout' }] } });
    response.content = { role: 'model', parts: [{ text: 'HI!' }] };
  }
}

function anAgent(config: Partial<LlmAgentConfig>) {
  const model = new FakeLlm([[text('Hi.')]]);
  return { model, agent: new LlmAgent({ name: 'root', model, instruction: 'Own.', ...config }) };
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('the pipeline of a model request (B24)', () => {
  it('has the order of the reference', () => {
    expect(requestProcessors.map(({ name }) => name)).toEqual([
      'basic',
      'auth',
      'confirmation',
      'instructions',
      'identity',
      'compaction',
      'contents',
      'planning',
      'code-execution',
      'output-schema',
      'agent-transfer',
      'tools',
    ]);
  });

  it('takes a step of the author before or after a named one, and stores the events it makes', async () => {
    const before = new Noting();
    const after = new Noting();
    const { agent } = anAgent({
      requestProcessors: [
        { before: 'identity', processor: before },
        { after: 'contents', processor: after },
      ],
    });

    const { events, session } = await runTurn(agent);

    expect(before.seen).toEqual(['Own.', '0']);
    expect(after.seen).toEqual([expect.stringContaining('Your internal name'), '2']);
    expect(textsOf(events)).toEqual(['noted', 'noted', 'Hi.']);
    expect(new Set(session.events.map(({ id }) => id)).size).toBe(4);
  });

  it('takes a step of the author between an answer and its event', async () => {
    const { agent, model } = anAgent({
      responseProcessors: [{ after: 'planning', processor: new Shouting() }],
    });

    const whole = await runTurn(agent);
    const resumed = await runTurn(agent, { journal: whole.journal });

    expect(textsOf(whole.events)).toEqual(['about to shout', 'HI!']);
    expect(resumed.events).toEqual(whole.events);
    expect(model.requests).toHaveLength(1);
  });

  it('gives each event that a step makes of a piece or of a whole answer a place of its own', async () => {
    const model = new FakeLlm([[partial(text('o')), text('one'), text('two')]]);
    const { agent } = anAgent({
      model,
      responseProcessors: [{ after: 'planning', processor: new Counting() }],
    });

    const whole = await runTurn(agent, { runConfig: { streamingMode: 'sse' } });
    const resumed = await runTurn(agent, { journal: whole.journal });

    const stored = whole.events.filter((event) => !event.partial);
    expect(
      stored.map(({ actions, content }) => actions.stateDelta.last ?? content?.parts?.[0]?.text),
    ).toEqual(['o', 'one', 'one', 'two', 'two']);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(5);
    expect(resumed.events).toEqual(stored);
  });

  it('refuses a place that is not there', () => {
    const build = () => anAgent({ requestProcessors: [{ before: 'nothing', processor: new Noting() }] });

    expect(build).toThrow('There is no processor called "nothing"; there are basic, auth');
  });
});
