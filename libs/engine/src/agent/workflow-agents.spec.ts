import { type Event } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { createEvent } from '../event/create-event';
import { FunctionTool } from '../tool/function-tool';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { LoopAgent } from './loop-agent';
import { ParallelAgent } from './parallel-agent';
import { SequentialAgent } from './sequential-agent';

/** An agent that says texts, one event each; `!` at the end of one escalates. */
function saying(name: string, ...texts: string[]): CustomAgent {
  return new CustomAgent({
    name,
    async *run() {
      for (const said of texts) {
        yield createEvent({
          id: 'given by the engine',
          invocationId: '',
          timestamp: 0,
          author: name,
          content: { role: 'model', parts: [{ text: said }] },
          actions: said.endsWith('!') ? { escalate: true } : {},
        });
      }
    },
  });
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('a SequentialAgent (B41)', () => {
  it('runs its agents in order, also past one that escalates', async () => {
    const agent = new SequentialAgent({
      name: 'root',
      subAgents: [saying('a', '1', '2!'), saying('b', '3')],
    });

    const { events } = await runTurn(agent);

    expect(textsOf(events)).toEqual(['1', '2!', '3']);
    expect(events.map(({ author }) => author)).toEqual(['a', 'a', 'b']);
  });

  it('has a later agent read what an earlier one left in state', async () => {
    const first = new LlmAgent({ name: 'first', model: new FakeLlm([[text('Ada')]]), outputKey: 'name' });
    const model = new FakeLlm([[text('Hi.')]]);
    const second = new LlmAgent({ name: 'second', model, instruction: 'Greet {name}.' });

    await runTurn(new SequentialAgent({ name: 'root', subAgents: [first, second] }));

    expect(model.requests[0]?.config.systemInstruction).toMatch(/^Greet Ada\./);
  });

  it('goes on past an agent that its before callback answered for (B40)', async () => {
    const skipped = new LlmAgent({
      name: 'skipped',
      model: new FakeLlm([[text('never')]]),
      beforeAgentCallback: () => ({ role: 'model', parts: [{ text: 'instead' }] }),
      afterAgentCallback: () => ({ role: 'model', parts: [{ text: 'never either' }] }),
    });

    const { events } = await runTurn(
      new SequentialAgent({ name: 'root', subAgents: [skipped, saying('b', 'next')] }),
    );

    expect(textsOf(events)).toEqual(['instead', 'next']);
  });
});

describe('a LoopAgent (B42)', () => {
  it('runs its agents as often as it may', async () => {
    const agent = new LoopAgent({
      name: 'root',
      maxIterations: 2,
      subAgents: [saying('a', '1'), saying('b', '2')],
    });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['1', '2', '1', '2']);
  });

  it('ends with an agent that escalates, once that has said the rest', async () => {
    const agent = new LoopAgent({ name: 'root', subAgents: [saying('a', '1!', '2'), saying('b', '3')] });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['1!', '2']);
  });

  it('ends with a loop inside it that escalates', async () => {
    const inner = new LoopAgent({ name: 'inner', subAgents: [saying('a', '1!')] });
    const agent = new LoopAgent({ name: 'root', subAgents: [inner, saying('b', '2')] });

    expect(textsOf((await runTurn(agent)).events)).toEqual(['1!']);
  });

  it.each([undefined, 0])('goes on without a bound when maxIterations is %s', async (maxIterations) => {
    let turns = 0;
    const counting = new CustomAgent({
      name: 'counting',
      async *run(context) {
        turns += 1;
        yield* saying('inner', turns === 30 ? 'enough!' : 'more').runAsync(context);
      },
    });

    await runTurn(new LoopAgent({ name: 'root', maxIterations, subAgents: [counting] }));

    expect(turns).toBe(30);
  });

  it.each([-1, 1.5, NaN])('is refused with maxIterations %d', (maxIterations) => {
    expect(() => new LoopAgent({ name: 'root', maxIterations })).toThrow(
      expect.objectContaining({ code: 'agent.max-iterations' }),
    );
  });

  it('ends at once when it has no agents', async () => {
    expect((await runTurn(new LoopAgent({ name: 'root' }))).events).toEqual([]);
  });

  it('is left by the tool exit_loop means: an escalating tool round', async () => {
    const leave = new FunctionTool({
      name: 'leave',
      description: 'Leaves.',
      execute: (_args, { actions }) => {
        actions.escalate = true;
        return 'left';
      },
    });
    const model = new FakeLlm([[text('again')], [calls({ name: 'leave' })], [text('done')], [text('never')]]);
    const agent = new LlmAgent({ name: 'agent', model, tools: [leave] });

    await runTurn(new LoopAgent({ name: 'root', subAgents: [agent] }));

    expect(model.requests).toHaveLength(3);
  });
});

describe('a ParallelAgent (B43)', () => {
  it('runs its agents on branches of their own, that nest', async () => {
    const inner = new ParallelAgent({ name: 'inner', subAgents: [saying('c', '3')] });
    const agent = new ParallelAgent({ name: 'root', subAgents: [saying('a', '1'), saying('b', '2'), inner] });

    const { events } = await runTurn(agent);

    expect(Object.fromEntries(events.map(({ author, branch }) => [author, branch]))).toEqual({
      a: 'root.a',
      b: 'root.b',
      c: 'root.inner.inner.c',
    });
  });

  it('shows no agent what those beside it say, and all of them what was said before (B3)', async () => {
    const before = saying('before', 'first');
    const models = [new FakeLlm([[text('A')]]), new FakeLlm([[text('B')]])];
    const agents = models.map((model, index) => new LlmAgent({ name: `agent${index}`, model }));
    const parallel = new ParallelAgent({ name: 'parallel', subAgents: agents });
    const after = new FakeLlm([[text('C')]]);

    await runTurn(
      new SequentialAgent({
        name: 'root',
        subAgents: [before, parallel, new LlmAgent({ name: 'after', model: after })],
      }),
    );

    for (const { requests } of models) {
      expect(JSON.stringify(requests[0]?.contents)).toContain('[before] said: first');
      expect(JSON.stringify(requests[0]?.contents)).not.toMatch(/agent[01]\] said/);
    }
    expect(JSON.stringify(after.requests[0]?.contents)).toMatch(/\[agent0\] said: A.*\[agent1\] said: B/);
  });

  it('holds each agent until its event was taken', async () => {
    const log: string[] = [];
    const agent = new CustomAgent({
      name: 'a',
      async *run() {
        for (const said of ['1', '2']) {
          yield createEvent({
            id: '',
            invocationId: '',
            timestamp: 0,
            author: 'a',
            content: { parts: [{ text: said }] },
          });
          log.push(`after ${said}`);
        }
      },
    });
    const parallel = new ParallelAgent({ name: 'root', subAgents: [agent] });
    const outer = new CustomAgent({
      name: 'outer',
      subAgents: [parallel],
      async *run(context) {
        for await (const event of parallel.runAsync(context)) {
          log.push(`took ${event.content?.parts?.[0]?.text}`);
          yield event;
        }
      },
    });

    await runTurn(outer);

    expect(log).toEqual(['took 1', 'after 1', 'took 2', 'after 2']);
  });

  it('fails with the first agent that fails, and tells those beside it', async () => {
    let heard = false;
    const waiting = new CustomAgent({
      name: 'waiting',
      // eslint-disable-next-line require-yield -- it is ended before it says anything.
      async *run({ signal }) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        heard = true;
      },
    });
    const failing = new CustomAgent({
      name: 'failing',
      // eslint-disable-next-line require-yield -- it fails before it says anything.
      async *run() {
        await Promise.resolve();
        throw new RangeError('Too far.');
      },
    });

    const turn = await runTurn(new ParallelAgent({ name: 'root', subAgents: [waiting, failing] }));

    expect(turn.error).toMatchObject({ message: 'Too far.' });
    expect(turn.events.at(-1)).toMatchObject({ errorCode: 'RangeError', errorMessage: 'Too far.' });
    await Promise.resolve();
    expect(heard).toBe(true);
  });

  it('runs no agent twice after a crash between their events', async () => {
    const models = () => [new FakeLlm([[text('A')]]), new FakeLlm([[text('B')]])];
    const tree = (fakes: FakeLlm[]) =>
      new ParallelAgent({
        name: 'root',
        subAgents: fakes.map((model, index) => new LlmAgent({ name: `agent${index}`, model })),
      });
    const whole = await runTurn(tree(models()));
    const again = models();

    const resumed = await runTurn(tree(again), { journal: whole.journal.cutAfter(2) });

    expect(again.map(({ requests }) => requests.length)).toEqual([0, 1]);
    expect(textsOf(resumed.events).sort()).toEqual(['A', 'B']);
  });
});
