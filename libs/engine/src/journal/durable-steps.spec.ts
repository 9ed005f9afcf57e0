import { AdkError } from '@skein/contracts';
import { anEvent, calls, FakeLlm, RecordingJournal, runTurn, text, type Turn } from '@skein/testing';
import { CustomAgent } from '../agent/custom-agent';
import { type InvocationContext } from '../agent/invocation-context';
import { LlmAgent } from '../agent/llm-agent';
import { type Context } from '../agent/context';
import { FunctionTool } from '../tool/function-tool';

/** An agent that says what its code came to. */
function anAgent(run: (context: InvocationContext) => Promise<unknown>): CustomAgent {
  return new CustomAgent({
    name: 'root',
    run: async function* (context) {
      const said = JSON.stringify(await run(context)) ?? 'nothing';
      yield anEvent({ content: { role: 'model', parts: [{ text: said }] } });
    },
  });
}

function saidIn({ events }: Turn): unknown {
  return events.at(-1)?.content?.parts?.[0]?.text;
}

describe('ctx.step', () => {
  it('runs each step once, wherever a crash was, and gives the same values', async () => {
    const ran: string[] = [];
    let nth = 0;
    const agent = anAgent(async (context) => {
      const first = await context.step('charge', () => (ran.push('charge'), { id: ++nth }));
      const drawn = [context.now(), context.random(), context.uuid()];
      const second = await context.step('charge', async () => (ran.push('again'), [first.id, ++nth]));
      return { first, second, drawn };
    });
    const whole = await runTurn(agent, { now: () => 5 });

    const cuts = whole.journal.cuts();
    for (const journal of cuts) {
      ran.length = 0;
      const keys = journal.stepKeys;
      const resumed = await runTurn(agent, { journal, now: () => 99 });
      const isThere = (key: string) => keys.includes(`0/root.0/${key}`);
      expect(ran).toEqual([
        ...(isThere('step:charge.0') ? [] : ['charge']),
        ...(isThere('step:charge.1') ? [] : ['again']),
      ]);
      if (isThere('step:charge.1')) expect(saidIn(resumed)).toBe(saidIn(whole));
    }
    expect(cuts).toHaveLength(8);
  });

  it('waits for the store before it runs, and before it gives the value', async () => {
    const order: string[] = [];
    class SlowJournal extends RecordingJournal {
      override async stored(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`stored ${this.records.length}`);
      }
    }
    const agent = anAgent(async (context) => {
      const value = await context.step('look', () => (order.push('runs'), 1));
      order.push(`given ${value}`);
    });

    await runTurn(agent, { journal: new SlowJournal() });

    expect(order).toEqual(['stored 0', 'runs', 'stored 1', 'given 1']);
  });

  it('keeps steps apart that run at the same time, by name, however long each takes', async () => {
    const ran: string[] = [];
    const agent = (slow: string) =>
      anAgent((context) =>
        Promise.all(
          ['a', 'b/1', 'c c'].map((name) =>
            context.step(name, async () => {
              if (name === slow) await new Promise((resolve) => setImmediate(resolve));
              ran.push(name);
              return name;
            }),
          ),
        ),
      );
    const { journal } = await runTurn(agent('a'));
    expect(ran).toEqual(['b/1', 'c c', 'a']);

    // The user's message and what the two fast ones gave.
    const resumed = await runTurn(agent('b/1'), { journal: journal.cutAfter(1, 2) });

    expect(saidIn(resumed)).toBe('["a","b/1","c c"]');
    expect(ran).toEqual(['b/1', 'c c', 'a', 'a']);
  });

  it.each([
    ['an Error', () => new TypeError('Broken.'), { name: 'TypeError', message: 'Broken.' }],
    [
      'a code',
      () => Object.assign(new Error('gone'), { code: 'ENOENT' }),
      { name: 'Error', message: 'gone', code: 'ENOENT' },
    ],
    [
      'an AdkError',
      () => new AdkError('conflict', 'stock.none', 'None left.'),
      { name: 'AdkError', code: 'stock.none', kind: 'conflict' },
    ],
    ['a text', () => 'just text' as unknown as Error, { name: 'Error', message: 'just text' }],
  ])('throws what its function threw, in a later run too: %s', async (_what, thrown, expected) => {
    const seen: unknown[] = [];
    let runs = 0;
    const agent = anAgent(async (context) => {
      try {
        await context.step('fails', () => {
          runs += 1;
          throw thrown();
        });
      } catch (error) {
        seen.push(error);
      }
      return 'caught';
    });
    const { journal } = await runTurn(agent);
    await runTurn(agent, { journal: journal.cutAfter(1, 1) });

    expect(runs).toBe(1);
    expect(seen).toEqual([expect.objectContaining(expected), expect.objectContaining(expected)]);
    expect(seen.map((error) => AdkError.isInstance(error))).toEqual(
      Array(2).fill(AdkError.isInstance(thrown())),
    );
  });

  it.each([
    ['nothing', undefined, 'nothing'],
    ['null', null, 'null'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['0', 0, '0'],
  ])('gives what JSON keeps of a value, at once and later: %s', async (_what, value, said) => {
    const agent = anAgent((context) => context.step<unknown>('any', () => value));
    const first = await runTurn(agent);
    const resumed = await runTurn(agent, { journal: first.journal.cutAfter(1, 1) });

    expect([saidIn(first), saidIn(resumed)]).toEqual([said, said]);
  });

  it('says of a value without a JSON form that it cannot be stored, and does not run for it again', async () => {
    const circle: unknown[] = [];
    circle.push(circle);
    let runs = 0;
    const agent = (value: unknown) => anAgent((context) => context.step('bad', () => ((runs += 1), value)));

    for (const value of [1n, circle, () => 1, Symbol('s')]) {
      const first = await runTurn(agent(value));
      const resumed = await runTurn(agent(value), { journal: first.journal.cutAfter(1, 1) });
      for (const { error } of [first, resumed]) {
        expect(error).toMatchObject({
          code: 'step.unserialisable',
          message: expect.stringMatching(/^The value of step "bad" cannot be stored: /),
        });
      }
    }
    expect(runs).toBe(4);
  });

  it.each([[''], ['x'.repeat(201)], ['\ud800'], [7]])('refuses a name that is none: %p', async (name) => {
    const { error } = await runTurn(anAgent((context) => context.step(name as string, () => 1)));

    expect(error).toMatchObject({ code: 'step.name' });
  });

  it('keeps nothing of a function that was ended with its run', async () => {
    const abort = new AbortController();
    const agent = anAgent((context) =>
      context.step('cut', () => {
        abort.abort(new Error('lease lost'));
        throw new Error('fetch failed');
      }),
    );

    const { journal, error } = await runTurn(agent, { signal: abort.signal });

    expect(error).toMatchObject({ message: 'lease lost' });
    expect(journal.records).toEqual([]);
  });
});

describe('what a step itself asks for', () => {
  it('has names below the step, so that a later run, which leaves it out, finds its own', async () => {
    let now = 0;
    const agent = anAgent(async (context) => {
      const outer = await context.step('outer', async () => {
        const inner = await context.step('inner', async () => [
          context.now(),
          await context.step('deep', () => 1),
        ]);
        return [inner, context.now()];
      });
      return [outer, context.now(), await context.step('inner', () => context.now())];
    });
    const clock = () => ++now;
    const whole = await runTurn(agent, { now: clock });

    for (const journal of whole.journal.cuts()) {
      const keys = journal.stepKeys;
      const resumed = await runTurn(agent, { journal, now: clock });
      expect(resumed.error).toBeUndefined();
      if (keys.includes('0/root.0/step:inner.0')) expect(saidIn(resumed)).toBe(saidIn(whole));
    }
    expect(whole.journal.stepKeys.filter((key) => key.includes('now')).sort()).toEqual([
      '0/root.0/now.0',
      '0/root.0/step:inner.0/now.0',
      '0/root.0/step:outer.0/now.0',
      '0/root.0/step:outer.0/step:inner.0/now.0',
    ]);
  });
});

describe('steps of callbacks and tools', () => {
  it('have names of their own in each, and are not run again', async () => {
    const ran: string[] = [];
    const note = (place: string) => async (context: Context) => {
      await context.step('note', () => void ran.push(place));
      context.state.set(place, context.now());
    };
    const inAgent = async (place: string, context: Context) => {
      await note(place)(context);
      return undefined;
    };
    const look = new FunctionTool({
      name: 'look',
      description: '',
      placement: 'inline',
      execute: async (_args, context) => ({ found: await context.step('find', () => ran.push('tool')) }),
    });
    const model = () => new FakeLlm([[calls({ name: 'look' }, { name: 'look' })], [text('done')]]);
    const agent = (llm: FakeLlm) =>
      new LlmAgent({
        name: 'root',
        model: llm,
        tools: [look],
        beforeAgentCallback: (context) => inAgent('before agent', context),
        beforeModelCallback: ({ context }) => inAgent('before model', context),
        beforeToolCallback: ({ context }) => inAgent('before tool', context),
        afterAgentCallback: (context) => inAgent('after agent', context),
      });
    const { journal } = await runTurn(agent(model()));
    expect([...ran].sort()).toEqual(
      [
        'after agent',
        'before agent',
        'before model',
        'before model',
        ...['before tool', 'before tool', 'tool', 'tool'],
      ].sort(),
    );

    const keys = journal.records.filter(({ kind }) => kind === 'step').map(({ stepKey }) => stepKey);
    expect(new Set(keys).size).toBe(keys.length);
    for (const cut of journal.cuts()) {
      ran.length = 0;
      const noted = cut.records.filter(({ kind, stepKey }) => kind === 'step' && stepKey.includes('step:'));
      await runTurn(agent(model()), { journal: cut });
      expect(ran).toHaveLength(8 - noted.length);
    }
  });

  it('are not for tools in a worker, which has no journal', async () => {
    const model = new FakeLlm([[calls({ name: 'look' })], [text('done')]]);
    const look = new FunctionTool({
      name: 'look',
      description: '',
      execute: (_args, context) => context.now(),
    });

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [look] }));

    expect(events[1]?.content?.parts?.[0]?.functionResponse?.response).toEqual({
      error: expect.stringContaining('Steps are for agents, their callbacks and inline tools'),
    });
  });
});
