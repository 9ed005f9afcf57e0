import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { LoopAgent } from '../agent/loop-agent';
import { EXIT_LOOP, ExitLoopTool } from './exit-loop-tool';

describe('exit_loop', () => {
  it('escalates, answers nothing and has nothing put into words: no text part (B39)', async () => {
    const model = new FakeLlm([[calls({ id: 'c1', name: 'exit_loop' })], [text('never said')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [EXIT_LOOP] }));

    expect(events.at(-1)).toMatchObject({
      content: { parts: [{ functionResponse: { id: 'c1', name: 'exit_loop', response: { result: null } } }] },
      actions: { escalate: true, skipSummarization: true },
    });
    expect(events.at(-1)?.content?.parts).toHaveLength(1);
    expect(model.requests).toHaveLength(1);
  });

  it('ends the loop its agent runs in (B39, B42)', async () => {
    const model = new FakeLlm([
      [text('once more')],
      [calls({ id: 'c1', name: 'exit_loop' })],
      [text('never said')],
    ]);
    const child = new LlmAgent({ name: 'child', model, tools: [new ExitLoopTool()] });

    await runTurn(new LoopAgent({ name: 'root', subAgents: [child] }));

    expect(model.requests).toHaveLength(2);
  });

  it('takes no arguments and runs beside the agent', () => {
    expect(EXIT_LOOP.getDeclaration()).toEqual({ name: 'exit_loop', description: EXIT_LOOP.description });
    expect(EXIT_LOOP.placement).toBe('inline');
  });
});
