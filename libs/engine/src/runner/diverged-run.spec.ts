import { type Content, type Event } from '@skein/contracts';
import { anEvent, calls, FakeLlm, type RecordingJournal, runTurn, text, type Turn } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { CustomAgent } from '../agent/custom-agent';
import { type InvocationContext } from '../agent/invocation-context';
import { LlmAgent } from '../agent/llm-agent';
import { SequentialAgent } from '../agent/sequential-agent';
import { getFunctionResponses } from '../event/function-parts';
import { AgentTool } from '../tool/agent-tool';

const REPLAY_DIVERGED = 'REPLAY_DIVERGED';

function says(value: string, stateDelta: Record<string, unknown> = {}): Event {
  const content: Content = { role: 'model', parts: [{ text: value }] };
  return anEvent({ author: 'root', content, actions: { stateDelta } });
}

function custom(
  run: (context: InvocationContext) => AsyncGenerator<Event, void>,
  name = 'root',
): CustomAgent {
  return new CustomAgent({ name, run });
}

/** What a crash before the end of the run leaves, without its last event. */
function cutBeforeLast({ journal }: Turn): RecordingJournal {
  return journal.cutAfter(journal.staged.length - 1, journal.records.length);
}

function textsOf(events: readonly Event[]): (string | undefined)[] {
  return events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('a run that goes another way than what is stored', () => {
  it('fails before it runs a step where another is stored, and names both', async () => {
    const ran: string[] = [];
    const steps = (...names: string[]) =>
      custom(async function* (context) {
        for (const name of names) await context.step(name, () => void ran.push(name));
        yield says('done');
      });
    const whole = await runTurn(steps('charge', 'ship'));

    const { error, session } = await runTurn(steps('charge', 'refund'), { journal: cutBeforeLast(whole) });

    expect(error).toMatchObject({
      code: REPLAY_DIVERGED,
      details: { stored: '0/root.0/step:ship.0', asked: '0/root.0/step:refund.0' },
    });
    expect(ran).toEqual(['charge', 'ship']);
    expect(session.events.at(-1)).toMatchObject({ errorCode: REPLAY_DIVERGED, author: 'root' });
  });

  it('fails when it ends and a stored step was not asked for: a step, a draw, an agent, an event', async () => {
    const says2 = (name: string): BaseAgent =>
      custom(async function* () {
        yield { ...says(name), author: name };
      }, name);
    const chain = (...names: string[]) =>
      new SequentialAgent({ name: 'root', subAgents: names.map((name) => says2(name)) });
    const two = (run: (context: InvocationContext) => unknown) =>
      custom(async function* (context) {
        await run(context);
        yield says('done');
      });
    const pairs: [BaseAgent, BaseAgent][] = [
      [two((context) => context.step('a', () => 1)), two(() => 1)],
      [two((context) => context.uuid()), two(() => 1)],
      [chain('a', 'b', 'c'), chain('a', 'c')],
      [
        custom(async function* () {
          yield says('one');
          yield says('two');
        }),
        custom(async function* () {
          yield says('one');
        }),
      ],
    ];
    for (const [before, after] of pairs) {
      const { journal } = await runTurn(before);
      const { error } = await runTurn(after, { journal: journal.cutAfter(3, 3) });
      expect(error).toMatchObject({ code: REPLAY_DIVERGED });
    }
  });

  it.each<[string, Event]>([
    [
      'parts of another kind',
      anEvent({ content: { parts: [{ inlineData: { data: '', mimeType: 'a/b' } }] } }),
    ],
    ['another key of state', says('one', { other: 1 })],
    ['another author', { ...says('one', { key: 1 }), author: 'somebody' }],
  ])('fails at an event that is another: %s', async (_what, other) => {
    const saying = (event: Event) =>
      custom(async function* () {
        yield event;
        yield says('end');
      });
    const whole = await runTurn(saying(says('one', { key: 1 })));

    const { error } = await runTurn(saying(other), { journal: cutBeforeLast(whole) });

    expect(error).toMatchObject({
      code: REPLAY_DIVERGED,
      message: expect.stringContaining('0/root.0/event.0 (event of root: text, state key)'),
    });
  });

  it('is no other for another text, time, instruction or length of the history', async () => {
    let turn = 0;
    const model = new FakeLlm([[text('one')]]);
    const child = new LlmAgent({ name: 'child', model, instruction: () => `It is turn ${++turn}.` });
    const agent = new CustomAgent({
      name: 'root',
      subAgents: [child],
      run: async function* (context) {
        yield says(`turn ${++turn}`, { at: turn });
        yield* child.runAsync(context);
        yield says('end');
      },
    });
    const whole = await runTurn(agent);
    for (const journal of whole.journal.cuts()) {
      const foreign = anEvent({ author: 'user', content: { role: 'user', parts: [{ text: 'from aside' }] } });
      const session = { ...whole.session, state: { patched: true }, events: [foreign] };
      const isStored = journal.staged.length > 1;
      const resumed = await runTurn(agent, { journal, session, now: () => 7 });
      expect(resumed.error).toBeUndefined();
      if (isStored) expect(resumed.events[0]).toEqual(whole.events[0]);
    }
  });

  it('is no other when of steps at the same time some were kept', async () => {
    const agent = custom(async function* (context) {
      const both = await Promise.all(['a', 'b'].map((name) => context.step(name, () => name)));
      yield says(both.join());
    });
    const whole = await runTurn(agent);
    const onlyB = whole.journal.cutAfter(1);
    for (const record of whole.journal.records.slice(1)) onlyB.stageRecord(record);
    expect(onlyB.stepKeys).toEqual(['0/user.0', '0/root.0/step:b.0']);

    const { error, events } = await runTurn(agent, { journal: onlyB });

    expect([error, textsOf(events)]).toEqual([undefined, ['a,b']]);
  });

  it('is no other when an agent that runs as a tool is cut anywhere', async () => {
    const helper = custom(async function* (context) {
      await context.step('a', () => 1);
      yield { ...says('in'), author: 'helper' };
      await context.step('b', () => context.now());
    }, 'helper');
    const answers = [[calls({ id: 'c1', name: 'helper', args: { request: 'x' } })], [text('out')]];
    const tools = [new AgentTool({ agent: helper })];
    const agent = new LlmAgent({ name: 'root', model: new FakeLlm(answers), tools });
    const whole = await runTurn(agent);

    for (const journal of whole.journal.cuts()) {
      const { error, events } = await runTurn(agent, { journal });
      expect([error, textsOf(events).at(-1)]).toEqual([undefined, 'out']);
    }
  });

  it('keeps the order of the log and the later value of state when it is noticed late', async () => {
    const longer = custom(async function* () {
      for (const word of ['one', 'two']) yield says(word, { last: word, [word]: true });
    });
    const whole = await runTurn(longer);
    const shorter = custom(async function* (context) {
      yield says('one', { last: 'one', one: true });
      const child = new CustomAgent({
        name: 'child',
        async *run() {
          yield { ...says('new', { last: 'new' }), author: 'child' };
        },
      });
      yield* child.runAsync(context);
    });

    const { journal, session } = await runTurn(shorter, { journal: whole.journal.cutAfter(3) });

    expect(session.events.map(({ id }) => id)).toEqual(journal.staged.map(({ event }) => event.id));
    expect(textsOf(session.events).slice(0, 4)).toEqual(['hi', 'one', 'two', 'new']);
    expect(session.state).toEqual({ last: 'new', one: true, two: true });
  });

  it('fails also when the code catches it', async () => {
    const steps = (name: string) =>
      custom(async function* (context) {
        await context.step(name, () => name).catch(() => undefined);
        yield says('done');
      });
    const whole = await runTurn(steps('a'));

    const { error } = await runTurn(steps('b'), { journal: cutBeforeLast(whole) });

    expect(error).toMatchObject({ code: REPLAY_DIVERGED });
  });

  it('fails also when an agent that runs as a tool diverged: its caller is not told of it', async () => {
    const outer = (inner: string) => {
      const agent = custom(async function* (context) {
        await context.step(inner, () => 1);
        yield { ...says('in'), author: 'helper' };
      }, 'helper');
      const model = new FakeLlm([
        [calls({ id: 'c1', name: 'helper', args: { request: 'x' } })],
        [text('out')],
      ]);
      return new LlmAgent({ name: 'root', model, tools: [new AgentTool({ agent })] });
    };
    const { journal } = await runTurn(outer('a'));
    // The message, the call, and all of the agent within.
    const { error, session } = await runTurn(outer('b'), { journal: journal.cutAfter(2, 9) });

    expect(error).toMatchObject({ code: REPLAY_DIVERGED });
    expect(session.events.flatMap((event) => getFunctionResponses(event))).toMatchObject([{ id: 'c1' }]);
  });
});
