import { type Part } from '@skein/contracts';
import { aSession, calls, FakeLlm, partial, runTurn, text, type Turn } from '@skein/testing';
import { z } from 'zod';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { type LlmResponse } from '../model/llm-response';
import { FunctionTool } from '../tool/function-tool';

function keeping(answers: LlmResponse[][], config: Partial<LlmAgentConfig> = {}): Promise<Turn> {
  const model = new FakeLlm(answers);
  const tool = new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 });
  const tools = config.outputSchema ? [] : [tool];
  const agent = new LlmAgent({ name: 'root', model, tools, outputKey: 'answer', ...config });
  return runTurn(agent, { session: aSession(), runConfig: { streamingMode: 'sse' } });
}

function parts(...list: Part[]): LlmResponse {
  return { content: { role: 'model', parts: list } };
}

describe('an output key (B44)', () => {
  it('keeps the answer on the event that gives it', async () => {
    const { events, session } = await keeping([[partial(text('Hel')), text('Hello.')]]);

    expect(events.map(({ actions }) => actions.stateDelta)).toEqual([{}, { answer: 'Hello.' }]);
    expect(session.state.answer).toBe('Hello.');
  });

  it('keeps all that was said in the run, beside calls too, without what was thought', async () => {
    const beside = parts({ text: 'Let me see. ' }, { functionCall: { name: 'f' } });

    const { session } = await keeping([[beside], [parts({ text: 'hm', thought: true }, { text: 'Done.' })]]);

    expect(session.state.answer).toBe('Let me see. Done.');
  });

  it('keeps an empty text, and nothing where there is no text', async () => {
    expect((await keeping([[text('')]])).session.state).toEqual({ answer: '' });
    expect((await keeping([[calls({ name: 'f' })]])).session.state).toEqual({});
  });

  it('keeps what a before callback said in the place of the agent', async () => {
    const { session } = await keeping([], {
      beforeAgentCallback: () => ({ role: 'model', parts: [{ text: 'Not now.' }] }),
    });

    expect(session.state.answer).toBe('Not now.');
  });

  it('keeps nothing another agent said after a transfer', async () => {
    const child = new LlmAgent({ name: 'child', model: new FakeLlm([[text('Mine.')]]) });
    const { session } = await keeping(
      [[calls({ name: 'transfer_to_agent', args: { agentName: 'child' } })]],
      { subAgents: [child] },
    );

    expect(session.state).toEqual({});
  });

  it('keeps the parsed value of an answer with a schema, and neither a blank nor one of another shape', async () => {
    const outputSchema = z.object({ n: z.number() });

    expect((await keeping([[text('{"n": 1}')]], { outputSchema })).session.state).toEqual({
      answer: { n: 1 },
    });
    expect((await keeping([[text('  ')]], { outputSchema })).session.state).toEqual({});
    expect((await keeping([[text('{"n": "x"}')]], { outputSchema })).session.state).toEqual({});
  });
});
