import { type Content } from '@skein/contracts';
import { aPlugin, calls, FakeLlm, partial, RecordingJournal, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { ParallelAgent } from '../agent/parallel-agent';
import { asError } from '../error/describe-error';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { FunctionTool } from '../tool/function-tool';
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

  it('that fails before all that is stored was come to answers the open calls of the log (B23)', async () => {
    let isDown = false;
    const t = new FunctionTool({ name: 't', description: '', execute: () => 1 });
    const aTree = () =>
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[calls({ id: 'c1', name: 't' })], [calls({ id: 'c2', name: 't' })], [text('a')]]),
        instruction: () => {
          if (isDown) throw new Error('The instructions are down.');
          return '';
        },
        tools: [t],
      });
    const { journal } = await runTurn(aTree());
    isDown = true;

    // The message, a call and its response, a second call.
    const { journal: log, session } = await runTurn(aTree(), { journal: journal.cutAfter(4) });

    const stored = log.staged.map(({ event }) => event);
    expect(stored.flatMap((event) => getFunctionResponses(event)).map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(stored.at(-1)).toMatchObject({ errorMessage: 'The instructions are down.' });
    expect(session.events).toMatchObject(stored);
  });

  it('that fails answers each open call once, also when it crashes between two answers (B23)', async () => {
    const fails = new FunctionTool({
      name: 'fails',
      description: '',
      execute: () => {
        throw new Error('Broken.');
      },
    });
    const caller = (name: string) =>
      new LlmAgent({
        name,
        model: new FakeLlm([[calls({ id: name, name: 'fails' })]]),
        tools: [fails],
        toolErrors: 'raise',
      });
    const aTree = () => new ParallelAgent({ name: 'root', subAgents: [caller('a'), caller('b')] });
    const { journal } = await runTurn(aTree());
    expect(journal.stepKeys).toContain('0/dangling.1');

    for (const cut of journal.cuts()) {
      const { journal: log } = await runTurn(aTree(), { journal: cut });
      const answered = log.staged.flatMap(({ event }) => getFunctionResponses(event)).map(({ id }) => id);
      const asked = log.staged.flatMap(({ event }) => getFunctionCalls(event)).map(({ id }) => id);
      expect(answered.sort()).toEqual(asked.sort());
    }
  });

  it.each([
    ['a plugin', asError],
    ['a plugin that made another error of it', () => new Error('The plugin is broken.')],
  ])('that goes another way within %s is told as that', async (_who, made) => {
    const anApp = (name: string) => ({
      rootAgent: new LlmAgent({ name: 'root', model: new FakeLlm([[text('a')]]) }),
      plugins: [
        aPlugin({
          beforeAgentCallback: async ({ callbackContext }) => {
            try {
              await callbackContext.step(name, () => 1);
            } catch (thrown) {
              throw made(thrown);
            }
            return undefined;
          },
        }),
      ],
    });
    const { journal } = await runTurn(anApp('x'));

    const { error, session } = await runTurn(anApp('y'), { journal: journal.cutAfter(1, 1) });

    expect(error).toMatchObject({ code: 'REPLAY_DIVERGED' });
    expect(session.events.at(-1)).toMatchObject({ errorCode: 'REPLAY_DIVERGED' });
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
