import { type Content } from '@skein/contracts';
import { aPlugin, calls, FakeLlm, partial, RecordingJournal, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { ParallelAgent } from '../agent/parallel-agent';
import { LongRunningFunctionTool } from '../tool/long-running-function-tool';

const approved: Content = {
  role: 'user',
  parts: [{ functionResponse: { id: 'c1', name: 'approve', response: { approved: true } } }],
};

describe('a segment', () => {
  it('shows a piece of an answer only after all that led to it is stored (B64)', async () => {
    const order: string[] = [];
    class SlowJournal extends RecordingJournal {
      override async stored(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${this.staged.length} stored`);
      }
    }
    const rootAgent = new LlmAgent({ name: 'root', model: new FakeLlm([[partial(text('o')), text('ok')]]) });
    const watching = aPlugin({
      onEventCallback: ({ event }) => void order.push(event.partial ? 'piece' : 'answer'),
    });

    await runTurn({ rootAgent, plugins: [watching] }, { journal: new SlowJournal() });

    expect(order).toEqual(['1 stored', 'piece', 'answer']);
  });

  it('that answers a call stands on the branch of the call, the message too (B47)', async () => {
    const approve = new LongRunningFunctionTool({ name: 'approve', description: '', execute: () => null });
    const model = new FakeLlm([[calls({ id: 'c1', name: 'approve' })], [text('done')]]);
    const child = new LlmAgent({ name: 'child', model, tools: [approve] });
    const root = new ParallelAgent({ name: 'root', subAgents: [child] });
    const { session, journal } = await runTurn(root);

    const { events } = await runTurn(root, { session, journal, said: approved, segment: 1 });

    const message = session.events.findLast(({ author }) => author === 'user');
    expect(message).toMatchObject({ branch: 'root.child', content: approved });
    expect(events).toMatchObject([{ author: 'child', branch: 'root.child', content: text('done').content }]);
  });
});
