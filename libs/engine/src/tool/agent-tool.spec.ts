import { type Event } from '@skein/contracts';
import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { z } from 'zod';
import { CustomAgent } from '../agent/custom-agent';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { createEvent } from '../event/create-event';
import { getFunctionResponses } from '../event/function-parts';
import { BasePlugin } from '../plugin/base-plugin';
import { type LlmResponse } from '../model/llm-response';
import { AgentTool, type AgentToolParams } from './agent-tool';
import { FunctionTool } from './function-tool';

function ask(args: Record<string, unknown> = { request: 'How many?' }): LlmResponse {
  return calls({ name: 'expert', args });
}

/** A root that asks the expert once, and says "done". */
function aRoot(
  expert: Partial<LlmAgentConfig> & Pick<LlmAgentConfig, 'model'>,
  { asks = [ask()], ...params }: Partial<AgentToolParams> & { asks?: LlmResponse[] } = {},
) {
  const agent = new LlmAgent({ name: 'expert', description: 'Knows numbers.', ...expert });
  const model = new FakeLlm([...asks.map((asked) => [asked]), [text('done')]]);
  return { model, root: new LlmAgent({ name: 'root', model, tools: [new AgentTool({ agent, ...params })] }) };
}

function responsesOf(events: readonly Event[]) {
  return events.flatMap(getFunctionResponses).map(({ response }) => response);
}

describe('an agent as a tool (B36)', () => {
  it('is asked in its own session and answers with what it said last', async () => {
    const model = new FakeLlm([
      [{ content: { parts: [{ text: 'hm', thought: true }, { text: 'Three' }, { text: 'or four.' }] } }],
    ]);
    const { root, model: rootModel } = aRoot({ model });

    const { events } = await runTurn(root);

    expect(responsesOf(events)).toEqual([{ result: 'Three\nor four.' }]);
    expect(events.map(({ author }) => author)).toEqual(['root', 'root', 'root']);
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'How many?' }] }]);
    expect(rootModel.requests[0]?.config.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'expert',
            description: 'Knows numbers.',
            parametersJsonSchema: {
              type: 'object',
              properties: { request: { type: 'string' } },
              required: ['request'],
            },
          },
        ],
      },
    ]);
  });

  it('reads a copy of state without what the framework keeps, and hands on what it sets', async () => {
    const model = new FakeLlm([[text('Ada')]]);
    const { root } = aRoot({ model, instruction: 'For {who}. {_adk_x?}.', outputKey: 'found' });

    const { events, session } = await runTurn(root, {
      session: aSession({ state: { who: 'Bob', _adk_x: 'secret' } }),
    });

    expect(model.requests[0]?.config.systemInstruction).toMatch(/^For Bob\. \./);
    expect(events[1]?.actions.stateDelta).toEqual({ found: 'Ada' });
    expect(session.state).toMatchObject({ who: 'Bob', found: 'Ada' });
  });

  it('hands on the artifacts it saves', async () => {
    const artifactService = new InMemoryArtifactService();
    const save = new FunctionTool({
      name: 'save',
      description: 'Saves.',
      execute: (_args, context) => context.saveArtifact('a.txt', { text: 'kept' }),
    });
    const { root } = aRoot({
      model: new FakeLlm([[calls({ name: 'save' })], [text('saved')]]),
      tools: [save],
    });

    const { events } = await runTurn(root, { artifactService });

    expect(events[1]?.actions.artifactDelta).toEqual({ 'a.txt': 0 });
    const key = { appName: 'app', userId: 'u', sessionId: 's' };
    expect(await artifactService.loadArtifact({ ...key, filename: 'a.txt' })).toEqual({ text: 'kept' });
  });

  it('hands on the artifacts of a tool that ran before a crash', async () => {
    const save = new FunctionTool({
      name: 'save',
      description: 'Saves.',
      execute: (_args, context) => context.saveArtifact('a.txt', { text: 'kept' }),
    });
    const aTree = (model: FakeLlm) => aRoot({ model, tools: [save] }).root;
    const whole = await runTurn(aTree(new FakeLlm([[calls({ name: 'save' })], [text('saved')]])));
    const saved = whole.journal.records.findIndex(({ stepKey }) => stepKey.endsWith('expert.0/tools.0'));
    const journal = whole.journal.cutAfter(2, saved + 1);

    const { events } = await runTurn(aTree(new FakeLlm([[], [text('saved')]])), { journal });

    expect(events[1]?.actions.artifactDelta).toEqual({ 'a.txt': 0 });
  });

  it('is bound by the settings of the app it is called in (B22)', async () => {
    const model = new FakeLlm([[calls({ name: 'again' })], [text('too many')]]);
    const again = new FunctionTool({ name: 'again', description: 'Again.', execute: () => 1 });
    const { root } = aRoot({ model, tools: [again] });

    const { events } = await runTurn({ rootAgent: root, runConfig: { maxLlmCalls: 1 } });

    expect(model.requests).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ errorCode: 'LlmCallsLimitExceededError' });
  });

  it('takes the arguments of its input schema as JSON, and answers the value of its output schema', async () => {
    const model = new FakeLlm([[text('{"sum":3}')]]);
    const { root } = aRoot(
      {
        model,
        inputSchema: z.object({ a: z.number(), b: z.number() }),
        outputSchema: z.object({ sum: z.number() }),
      },
      { asks: [ask({ a: 1 }), ask({ a: 1, b: 2 })] },
    );

    const { events } = await runTurn(root);

    expect(responsesOf(events)).toEqual([
      { error: expect.stringContaining('mandatory input parameters are not present:\nb') },
      { sum: 3 },
    ]);
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: '{"a":1,"b":2}' }] }]);
  });

  it('tells what went wrong in it, and the caller goes on', async () => {
    const throwing = aRoot({ model: new FakeLlm([new Error('No idea.')]) });
    const refusing = aRoot({ model: new FakeLlm([[{ errorCode: 'SAFETY', errorMessage: 'Not this.' }]]) });

    const thrown = await runTurn(throwing.root);
    const refused = await runTurn(refusing.root);

    expect(responsesOf(thrown.events)).toEqual([{ error: 'No idea.' }]);
    expect(responsesOf(refused.events)).toEqual([{ result: 'Not this.' }]);
    expect(thrown.events.at(-1)?.content?.parts).toEqual([{ text: 'done' }]);
  });

  it('may show its answer as it is', async () => {
    const { root, model } = aRoot({ model: new FakeLlm([[text('As it is.')]]) }, { skipSummarization: true });

    const { events } = await runTurn(root);

    expect(events.at(-1)?.content?.parts?.[1]).toEqual({ text: 'As it is.' });
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    [true, ['root', 'expert']],
    [false, ['root']],
  ])('with includePlugins %s has plugins around %j', async (includePlugins, agents) => {
    const seen: string[] = [];
    class Watching extends BasePlugin {
      override async beforeAgentCallback({ agent }: { agent: { name: string } }): Promise<undefined> {
        seen.push(agent.name);
      }
    }
    const { root } = aRoot({ model: new FakeLlm([[text('x')]]) }, { includePlugins });

    await runTurn({ rootAgent: root, plugins: [new Watching('watching')] });

    expect(seen).toEqual(agents);
  });

  it('counts its own model calls, and goes on in its script from turn to turn', async () => {
    const model = new FakeLlm([[text('first')], [text('second')], [text('third')]]);
    const agent = new LlmAgent({ name: 'expert', model });
    const rootModel = new FakeLlm([[ask()], [text('1')], [ask()], [ask()], [text('2')]]);
    const root = new LlmAgent({ name: 'root', model: rootModel, tools: [new AgentTool({ agent })] });

    const first = await runTurn(root, { runConfig: { maxLlmCalls: 2 } });
    const second = await runTurn(root, {
      session: first.session,
      invocationId: 'e-0198c0de-0000-7000-8000-000000000002',
    });

    expect(responsesOf(first.events)).toEqual([{ result: 'first' }]);
    expect(responsesOf(second.events)).toEqual([{ result: 'second' }, { result: 'third' }]);
  });

  it('asks and runs nothing again after a crash within it', async () => {
    const expertModel = () => new FakeLlm([[calls({ name: 'count' })], [text('One.')]]);
    const ran: string[] = [];
    const count = new FunctionTool({
      name: 'count',
      description: 'Counts.',
      execute: () => ran.push('count'),
    });
    const whole = await runTurn(aRoot({ model: expertModel(), tools: [count] }).root);
    // The call event is stored, and three records of the expert's run: what was asked, its call, the tool's answer.
    const cut = whole.journal.cutAfter(2, 3);
    const model = expertModel();
    const { root, model: rootModel } = aRoot({ model, tools: [count] });

    const resumed = await runTurn(root, { journal: cut });

    expect(ran).toEqual(['count']);
    expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([1]);
    expect(rootModel.requests.map(({ ordinal }) => ordinal)).toEqual([1]);
    expect(responsesOf(resumed.events)).toEqual([{ result: 'One.' }]);
  });

  it('may be any agent', async () => {
    const agent = new CustomAgent({
      name: 'expert',
      async *run() {
        yield createEvent({
          id: '',
          invocationId: '',
          timestamp: 0,
          author: 'expert',
          content: { parts: [{ text: '42' }] },
        });
      },
    });
    const model = new FakeLlm([[ask()], [text('done')]]);

    const { events } = await runTurn(
      new LlmAgent({ name: 'root', model, tools: [new AgentTool({ agent })] }),
    );

    expect(responsesOf(events)).toEqual([{ result: '42' }]);
  });
});
