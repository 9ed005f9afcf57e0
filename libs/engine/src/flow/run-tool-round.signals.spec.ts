import { getEventListeners } from 'node:events';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { FunctionTool, type FunctionToolParams } from '../tool/function-tool';

function aTool(name: string, execute: FunctionToolParams<undefined>['execute']): FunctionTool {
  return new FunctionTool({ name, description: `Does ${name}.`, execute });
}

describe('the signals of calls', () => {
  it.each([1, 2])('leave nothing on that of their run when they are over: %i in a turn', async (count) => {
    const { signal } = new AbortController();
    const tool = aTool('listens', (_args, context) => {
      context.signal.addEventListener('abort', () => undefined);
    });
    const asked = Array.from({ length: count }, () => ({ name: 'listens', args: {} }));
    const model = new FakeLlm([...Array.from({ length: 12 }, () => [calls(...asked)]), [text('done')]]);
    const before: number[] = [];

    const turn = await runTurn(
      new LlmAgent({
        name: 'root',
        model,
        tools: [tool],
        beforeModelCallback: () => void before.push(getEventListeners(signal, 'abort').length),
      }),
      { signal },
    );

    expect(turn.error).toBeUndefined();
    expect(before).toHaveLength(13);
    expect(new Set(before).size).toBe(1);
  });

  it.each([1, 2])('tell that their run is cancelled: %i in a turn', async (count) => {
    const cancelling = new AbortController();
    const hearing: Promise<unknown>[] = [];
    const slow = aTool('slow', async (_args, { signal, abortSignal }) => {
      expect(abortSignal).toBe(signal);
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      hearing.push(aborted.then((): unknown => signal.reason));
      if (hearing.length === count) cancelling.abort(new Error('Enough.'));
      await aborted;
    });
    const asked = Array.from({ length: count }, () => ({ name: 'slow', args: {} }));
    const model = new FakeLlm([[calls(...asked)], [text('done')]]);

    await runTurn(new LlmAgent({ name: 'root', model, tools: [slow] }), { signal: cancelling.signal });

    const enough: unknown = expect.objectContaining({ message: 'Enough.' });
    expect(await Promise.all(hearing)).toEqual(asked.map(() => enough));
  });
});
