import { z } from 'zod';
import { type Event, type FunctionResponse } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { getFunctionCalls, getFunctionResponses } from '../event/function-parts';
import { FunctionTool, type FunctionToolParams } from '../tool/function-tool';

type Execute = FunctionToolParams<undefined>['execute'];

function aTool(name: string, execute: Execute, options: Partial<FunctionToolParams<undefined>> = {}) {
  return new FunctionTool({ name, description: `Does ${name}.`, execute, ...options });
}

/** One turn in which the model asks for the given calls, then says "done". */
async function runCalls(
  names: readonly string[],
  config: Partial<LlmAgentConfig>,
  args: Record<string, unknown> = {},
): Promise<Turn> {
  const asked = names.map((name, index) => ({ id: `c${index}`, name, args }));
  const model = new FakeLlm([[calls(...asked)], [text('done')]]);
  return runTurn(new LlmAgent({ name: 'root', model, ...config }));
}

function responsesOf({ events }: Turn): FunctionResponse[] {
  return events.flatMap(getFunctionResponses);
}

function responseEventOf({ events }: Turn): Event | undefined {
  return events.find((event) => getFunctionResponses(event).length > 0);
}

/** Lets everyone through once `count` have come. */
function aBarrier(count: number): () => Promise<void> {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let waiting = 0;
  return async () => {
    waiting += 1;
    if (waiting === count) open();
    await opened;
  };
}

describe('the calls of one turn', () => {
  it('run at the same time and are answered in call order, whichever ends first (B26)', async () => {
    const meet = aBarrier(3);
    const ended: string[] = [];
    const tools = ['a', 'b', 'c'].map((name, index) =>
      aTool(name, async () => {
        await meet();
        for (let turns = index; turns < 3; turns++) await Promise.resolve();
        ended.push(name);
        return { name };
      }),
    );

    const turn = await runCalls(['a', 'b', 'c'], { tools });

    expect(responsesOf(turn)).toEqual([
      { id: 'c0', name: 'a', response: { name: 'a' } },
      { id: 'c1', name: 'b', response: { name: 'b' } },
      { id: 'c2', name: 'c', response: { name: 'c' } },
    ]);
    expect(ended).toEqual(['c', 'b', 'a']);
  });

  it('are cancelled, and the run fails, when one throws and the agent raises (B26)', async () => {
    let heard: unknown;
    const meet = aBarrier(2);
    const slow = aTool('slow', async (_args, { signal }) => {
      await meet();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      heard = signal.reason;
    });
    const bad = aTool('bad', async () => {
      await meet();
      throw new Error('Broken.');
    });

    const turn = await runCalls(['slow', 'bad'], { tools: [slow, bad], toolErrors: 'raise' });

    expect(turn.error).toMatchObject({ message: 'Broken.' });
    expect(heard).toBe(turn.error);
    expect(turn.events.at(-1)).toMatchObject({ errorMessage: 'Broken.' });
  });

  it('merge what they did: maps per key, later scalars win, the highest artifact version stays (B31)', async () => {
    const tools = [
      aTool('one', (_args, { state, actions }) => {
        state.update({ one: 1, both: 'one' });
        Object.assign(actions, { artifactDelta: { f: 3 }, transferToAgent: 'x' });
      }),
      aTool('two', (_args, { state, actions }) => {
        state.update({ two: 2, both: 'two' });
        Object.assign(actions, { artifactDelta: { f: 2, g: 0 }, transferToAgent: 'y' });
      }),
    ];

    const { actions } = responseEventOf(await runCalls(['one', 'two'], { tools })) ?? {};

    expect(actions).toMatchObject({
      stateDelta: { one: 1, two: 2, both: 'two' },
      artifactDelta: { f: 3, g: 0 },
      transferToAgent: 'y',
    });
  });

  it('merge maps within what they did too, and lists not (B31)', async () => {
    const tools = [
      aTool('one', (_args, { state }) => state.set('cart', { apple: 1, both: 'one', list: [1] })),
      aTool('two', (_args, { state }) => state.set('cart', { pear: 2, both: 'two', list: [2] })),
    ];

    const { actions } = responseEventOf(await runCalls(['one', 'two'], { tools })) ?? {};

    expect(actions?.stateDelta).toEqual({ cart: { apple: 1, pear: 2, both: 'two', list: [2] } });
  });

  it.each(['constructor', '__proto__'])('note an artifact called %j as any other (B31)', async (filename) => {
    const save = aTool('save', (_args, context) => context.saveArtifact(filename, { text: 'kept' }));

    const { actions } = responseEventOf(await runCalls(['save', 'save'], { tools: [save] })) ?? {};

    expect(Object.entries(actions?.artifactDelta ?? {})).toEqual([[filename, 1]]);
  });

  it('have ids for dispatch of their own, also when the model repeats an id', async () => {
    const keys: (string | undefined)[] = [];
    const tools = [aTool('f', (_args, { idempotencyKey }) => void keys.push(idempotencyKey))];
    const model = new FakeLlm([
      [calls({ id: 'same', name: 'f' }, { id: 'same', name: 'f' })],
      [calls({ id: 'same', name: 'f' })],
      [text('done')],
    ]);

    await runTurn(new LlmAgent({ name: 'root', model, tools }));

    expect(new Set(keys).size).toBe(3);
  });
});

describe('one call', () => {
  it('passes before_tool, the tool, after_tool, in this order (B27)', async () => {
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);

    await runCalls(['f'], {
      tools: [aTool('f', note('tool'))],
      beforeToolCallback: [note('before 1'), note('before 2')],
      afterToolCallback: note('after'),
    });

    expect(order).toEqual(['before 1', 'before 2', 'tool', 'after']);
  });

  it('is answered by before_tool without the tool, even with {}, and after_tool sees that (B27)', async () => {
    const execute = jest.fn();
    const afterToolCallback = jest.fn();

    const turn = await runCalls(['f'], {
      tools: [aTool('f', execute)],
      beforeToolCallback: () => ({}),
      afterToolCallback,
    });

    expect(responsesOf(turn)).toMatchObject([{ response: {} }]);
    expect(execute).not.toHaveBeenCalled();
    expect(afterToolCallback).toHaveBeenCalledWith(expect.objectContaining({ response: {} }));
  });

  it('are refused with a clear error when a callback puts something into them that cannot be sent (B27)', async () => {
    const tools = [aTool('f', () => 'ran')];

    const turn = await runCalls(['f'], {
      tools,
      beforeToolCallback: ({ args }) => void Object.assign(args, { n: 1n }),
    });

    expect(responsesOf(turn)).toMatchObject([{ response: { error: expect.stringContaining('BigInt') } }]);
    expect(turn.error).toBeUndefined();
  });

  it('runs with the arguments before_tool changed, and keeps the stored ones (B27)', async () => {
    const turn = await runCalls(
      ['f'],
      {
        tools: [aTool('f', (args) => args)],
        beforeToolCallback: ({ args }) => void Object.assign(args, { n: 2 }),
      },
      { n: 1 },
    );

    expect(responsesOf(turn)).toMatchObject([{ response: { n: 2 } }]);
    expect(turn.session.events.flatMap(getFunctionCalls)).toMatchObject([{ args: { n: 1 } }]);
  });

  it('that throws is answered by on_tool_error, then after_tool (B27)', async () => {
    const turn = await runCalls(['f'], {
      tools: [
        aTool('f', () => {
          throw new Error('Broken.');
        }),
      ],
      onToolErrorCallback: ({ error }) => ({ caught: error.message }),
      afterToolCallback: ({ response }) => ({ ...response, after: true }),
    });

    expect(responsesOf(turn)).toMatchObject([{ response: { caught: 'Broken.', after: true } }]);
  });

  it.each(['missing', 'toString', '__proto__'])(
    'for the unknown tool %s is an error the model reads, with the tools there are (B28)',
    async (name) => {
      const turn = await runCalls([name], { tools: [aTool('f', () => 1), aTool('g', () => 1)] });

      expect(responsesOf(turn)).toMatchObject([
        { name, response: { error: `Tool '${name}' not found.\nAvailable tools: f, g` } },
      ]);
      expect(turn.error).toBeUndefined();
    },
  );

  it.each(['constructor', '__proto__'])('for a tool called %s runs it', async (name) => {
    const turn = await runCalls([name], { tools: [aTool(name, () => ({ n: 1 }))] });

    expect(responsesOf(turn)).toMatchObject([{ name, response: { n: 1 } }]);
  });

  it('for an unknown tool goes to on_tool_error, and fails the run when the agent raises (B28)', async () => {
    const onToolErrorCallback = ({ error }: { error: Error }) => ({ told: error.message });

    const told = await runCalls(['missing'], { tools: [], onToolErrorCallback });
    const raised = await runCalls(['missing'], { tools: [], toolErrors: 'raise' });

    expect(responsesOf(told)).toMatchObject([{ response: { told: expect.stringContaining('not found') } }]);
    expect(raised.error).toMatchObject({ message: expect.stringContaining("Tool 'missing' not found.") });
  });

  it.each([
    ['a text', 'x', { result: 'x' }],
    ['a list', [1], { result: [1] }],
    ['nothing', undefined, { result: null }],
    ['null', null, { result: null }],
    ['false', false, { result: false }],
    ['an object', { a: 1 }, { a: 1 }],
  ])('whose tool gives %s is answered by an object (B29)', async (_what, value, response) => {
    expect(responsesOf(await runCalls(['f'], { tools: [aTool('f', () => value)] }))).toMatchObject([
      { response },
    ]);
  });

  it.each([
    ['a cycle', cycle, 'contains itself'],
    ['a BigInt', () => ({ n: 1n }), 'BigInt'],
  ])('whose tool gives %s is an error the model reads', async (_what, execute, message) => {
    expect(responsesOf(await runCalls(['f'], { tools: [aTool('f', execute)] }))).toMatchObject([
      { response: { error: expect.stringContaining(message) } },
    ]);
  });

  it('without its mandatory arguments is refused, with their names, and the tool not run (B32)', async () => {
    const execute = jest.fn();
    const tool = new FunctionTool({
      name: 'f',
      description: 'Needs x and y.',
      parameters: z.object({ x: z.string(), y: z.number(), z: z.number().optional() }),
      execute,
    });

    const turn = await runCalls(['f'], { tools: [tool] });

    expect(responsesOf(turn)[0]?.response).toEqual({
      error:
        'Invoking `f()` failed as the following mandatory input parameters are not present:\nx\ny\n' +
        'You could retry calling this tool, but it is IMPORTANT for you to provide all the mandatory parameters.',
    });
    expect(execute).not.toHaveBeenCalled();
  });

  it('with arguments of a wrong type is refused, and the tool not run', async () => {
    const execute = jest.fn();
    const parameters = z.object({ x: z.number() });
    const tool = new FunctionTool({ name: 'f', description: 'Needs x.', parameters, execute });

    const turn = await runCalls(['f'], { tools: [tool] }, { x: 'one' });

    expect(responsesOf(turn)[0]?.response?.error).toContain('do not match its parameters');
    expect(execute).not.toHaveBeenCalled();
  });

  it('show a result that no model will put into words, but neither an error nor nothing (B30)', async () => {
    const skipping = (name: string, result: unknown) =>
      aTool(name, (_args, { actions }) => {
        actions.skipSummarization = true;
        return result;
      });
    const tools = [
      skipping('words', 'as it is'),
      skipping('data', { n: 1 }),
      skipping('nothing', null),
      skipping('wrong', { error: 'never shown' }),
    ];

    const turn = await runCalls(['words', 'data', 'nothing', 'wrong'], { tools });

    const shown = responseEventOf(turn)?.content?.parts?.flatMap((part) => part.text ?? []);
    expect(shown).toEqual(['as it is', '{"n":1}']);
    expect(turn.events.at(-1)).toBe(responseEventOf(turn));
  });

  it('are run up to 32 in one turn, and the model reads that the others were not', async () => {
    const names = Array.from({ length: 40 }, () => 'f');

    const responses = responsesOf(await runCalls(names, { tools: [aTool('f', () => 'ran')] }));

    expect(responses.filter(({ response }) => response?.result === 'ran')).toHaveLength(32);
    expect(responses.slice(32)).toHaveLength(8);
    expect(responses[39]).toMatchObject({
      id: 'c39',
      response: { error: expect.stringContaining('Not run') },
    });
  });
});

describe('a long-running tool', () => {
  const isLongRunning = true;

  it.each([undefined, null, '', 0, {}])(
    'that has no result yet (%j) leaves no response, and the call event ends the turn (B29)',
    async (value) => {
      const turn = await runCalls(['f'], { tools: [aTool('f', () => value, { isLongRunning })] });

      expect(turn.events).toHaveLength(1);
      expect(turn.events[0]).toMatchObject({ longRunningToolIds: ['c0'] });
      expect(turn.journal.stepKeys).toContain('0/root.0/tools.0');
    },
  );

  it('that has a first result is answered, and the model goes on', async () => {
    const tools = [aTool('f', () => ({ status: 'pending' }), { isLongRunning })];

    const turn = await runCalls(['f'], { tools });

    expect(responsesOf(turn)).toMatchObject([{ response: { status: 'pending' } }]);
    expect(turn.events.at(-1)).toMatchObject(text('done'));
  });

  it('without a result leaves the responses of its siblings (B29)', async () => {
    const tools = [aTool('f', () => undefined, { isLongRunning }), aTool('g', () => 1)];

    const turn = await runCalls(['f', 'g'], { tools });

    expect(responsesOf(turn)).toEqual([{ id: 'c1', name: 'g', response: { result: 1 } }]);
  });
});

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}
