import { calls, collect, FakeLlm, text } from '@skein/testing';
import { z } from 'zod';
import { requestIdsOf } from '../../test/confirmations';
import { LlmAgent } from '../agent/llm-agent';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { FunctionTool } from '../tool/function-tool';
import { LongRunningFunctionTool } from '../tool/long-running-function-tool';
import { type BaseTool } from '../tool/base-tool';
import { Runner } from './runner';

const key = { appName: 'app', userId: 'u', sessionId: 's' };
const newMessage = { role: 'user', parts: [{ text: 'hi' }] };
const decided = { kind: 'conflict', code: 'message.already-answered' };

function aRunner(tool: BaseTool, model: FakeLlm) {
  const agent = new LlmAgent({ name: 'root', model, tools: [tool] });
  const sessionService = new InMemorySessionService();
  return new Runner({ appName: 'app', agent, sessionService, autoCreateSession: true });
}

function answer(runner: Runner, id: string, name: string, response: Record<string, unknown>) {
  const parts = [{ functionResponse: { id, name, response } }];
  return collect(runner.runAsync({ ...key, newMessage: { role: 'user', parts } }));
}

describe('a question to a person', () => {
  it('row 43: is decided once: a later answer is refused, and nothing runs', async () => {
    const execute = jest.fn(() => 'paid');
    const pay = new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ cents: z.number() }),
      requireConfirmation: true,
      execute,
    });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'pay', args: { cents: 5 } })], [text('done')]]);
    const runner = aRunner(pay, model);
    const [id = ''] = requestIdsOf(await collect(runner.runAsync({ ...key, newMessage })));
    await answer(runner, id, 'adk_request_confirmation', { confirmed: false });
    const stored = (await runner.sessionService.getSession(key))?.events.length;

    const second = answer(runner, id, 'adk_request_confirmation', { confirmed: true });

    await expect(second).rejects.toMatchObject(decided);
    expect(execute).not.toHaveBeenCalled();
    expect((await runner.sessionService.getSession(key))?.events).toHaveLength(stored ?? 0);
  });

  it('is none that a long-running call makes: that is answered as often as there is news', async () => {
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'ask', args: {} })], [text('one')], [text('two')]]);
    const runner = aRunner(ask, model);
    await collect(runner.runAsync({ ...key, newMessage }));

    await answer(runner, 'c1', 'ask', { at: '50 %' });
    const [last] = (await answer(runner, 'c1', 'ask', { at: '100 %' })).slice(-1);

    expect(last?.content?.parts).toEqual([{ text: 'two' }]);
  });
});
