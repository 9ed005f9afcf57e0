import { type Content, type Event } from '@skein/contracts';
import { calls, FakeLlm, INVOCATION_ID, runTurn, text, type Turn } from '@skein/testing';
import { isWaiting } from '../runner/is-waiting';
import { LongRunningFunctionTool } from '../tool/long-running-function-tool';
import { FunctionTool } from '../tool/function-tool';
import { type BaseAgent } from './base-agent';
import { LlmAgent } from './llm-agent';
import { LoopAgent } from './loop-agent';
import { ParallelAgent } from './parallel-agent';
import { SequentialAgent } from './sequential-agent';

const resumable = (rootAgent: BaseAgent) => ({ rootAgent, resumabilityConfig: { isResumable: true } });

/** An agent that asks an outside system, waits, and says what came. */
function asking(name: string, ...after: string[]): LlmAgent {
  const model = new FakeLlm([
    [calls({ id: `call_${name}`, name: 'ask' })],
    ...after.map((said) => [text(said)]),
  ]);
  const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
  return new LlmAgent({ name, model, tools: [ask] });
}

function saying(name: string, ...texts: string[]): LlmAgent {
  return new LlmAgent({ name, model: new FakeLlm(texts.map((said) => [text(said)])) });
}

function answerTo(name: string): Content {
  return {
    role: 'user',
    parts: [{ functionResponse: { id: `call_${name}`, name: 'ask', response: { answer: 42 } } }],
  };
}

/** The next segment of a turn's invocation, in a process that knows only what is stored. */
function goOn(target: Parameters<typeof runTurn>[0], turn: Turn, said: Content | null): Promise<Turn> {
  return runTurn(target, { session: turn.session, said, segment: 1 });
}

function outline(events: readonly Event[]): string[] {
  return events.map(({ author, content, actions }) => {
    const part = content?.parts?.[0];
    if (actions.endOfAgent) return `${author} ended`;
    if (actions.agentState) return `${author} at ${JSON.stringify(actions.agentState)}`;
    return `${author}: ${part?.text ?? part?.functionCall?.name ?? part?.functionResponse?.name}`;
  });
}

describe('a resumable app (B54)', () => {
  it('notes where its agents stand, pauses at a call nobody answered, and goes on behind it', async () => {
    const tree = () =>
      new SequentialAgent({
        name: 'root',
        subAgents: [saying('first', '1'), asking('second', '2'), saying('third', '3')],
      });

    const paused = await runTurn(resumable(tree()));
    const resumed = await goOn(resumable(tree()), paused, answerTo('second'));

    expect(outline(paused.events)).toEqual([
      'root at {"currentSubAgent":"first"}',
      'first: 1',
      'first ended',
      'root at {"currentSubAgent":"second"}',
      'second: ask',
    ]);
    expect(outline(resumed.events)).toEqual([
      'root at {"currentSubAgent":"second"}',
      'second: 2',
      'second ended',
      'root at {"currentSubAgent":"third"}',
      'third: 3',
      'third ended',
      'root ended',
    ]);
    expect(resumed.events.every(({ invocationId }) => invocationId === paused.events[0]?.invocationId)).toBe(
      true,
    );
  });

  it('counts the turns of a loop over a pause', async () => {
    const tree = () =>
      new LoopAgent({
        name: 'root',
        maxIterations: 2,
        subAgents: [saying('a', '1', '2'), asking('b', 'x', 'y')],
      });

    const paused = await runTurn(resumable(tree()));
    const resumed = await goOn(resumable(tree()), paused, answerTo('b'));

    expect(outline(resumed.events)).toEqual([
      'root at {"timesLooped":0,"currentSubAgent":"b"}',
      'b: x',
      'b ended',
      'root at {"timesLooped":1,"currentSubAgent":"a"}',
      'a: 2',
      'a ended',
      'root at {"timesLooped":1,"currentSubAgent":"b"}',
      'b: y',
      'b ended',
      'root ended',
    ]);
  });

  it('passes parallel agents by that were done', async () => {
    const tree = () =>
      new ParallelAgent({ name: 'root', subAgents: [saying('done', '1'), asking('open', '2')] });

    const paused = await runTurn(resumable(tree()));
    const resumed = await goOn(resumable(tree()), paused, answerTo('open'));

    expect(outline(resumed.events)).toEqual(['open: 2', 'open ended', 'root ended']);
    expect(resumed.events[0]?.branch).toBe('root.open');
  });

  it('leaves an agent waiting whose own call nobody answered, beside one that goes on', async () => {
    const tree = () =>
      new SequentialAgent({
        name: 'root',
        subAgents: [
          new ParallelAgent({ name: 'both', subAgents: [asking('a', '1'), asking('b', '2')] }),
          saying('last', '3'),
        ],
      });

    const paused = await runTurn(resumable(tree()));
    const half = await goOn(resumable(tree()), paused, answerTo('a'));
    const whole = await runTurn(resumable(tree()), {
      session: half.session,
      said: answerTo('b'),
      segment: 2,
    });

    expect(outline(half.events)).toEqual(['root at {"currentSubAgent":"both"}', 'a: 1', 'a ended']);
    expect(outline(whole.events)).toEqual([
      'root at {"currentSubAgent":"both"}',
      'b: 2',
      'b ended',
      'both ended',
      'root at {"currentSubAgent":"last"}',
      'last: 3',
      'last ended',
      'root ended',
    ]);
  });

  it('asks no model while one call of a round waits, also when another one has its result', async () => {
    const model = new FakeLlm([
      [calls({ id: 'slow', name: 'ask' }, { id: 'fast', name: 'look' })],
      [text('done')],
    ]);
    const tools = [
      new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined }),
      new FunctionTool({ name: 'look', description: 'Looks.', execute: () => 'seen' }),
    ];
    const root = new LlmAgent({ name: 'root', model, tools });
    const answer = { functionResponse: { id: 'slow', name: 'ask', response: { answer: 42 } } };

    const paused = await runTurn(resumable(root));
    const nudged = await goOn(resumable(root), paused, null);
    const resumed = await runTurn(resumable(root), {
      session: paused.session,
      said: { role: 'user', parts: [answer] },
      segment: 2,
    });

    expect(outline(paused.events)).toEqual(['root: ask', 'root: look']);
    expect(nudged.events).toEqual([]);
    expect(outline(resumed.events)).toEqual(['root: done', 'root ended']);
  });

  it('waits for the user although the tool itself said that it is under way', async () => {
    const model = new FakeLlm([[calls({ id: 'slow', name: 'ask' })], [text('It is 42.')]]);
    const execute = () => ({ status: 'pending' });
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute });
    const root = new LlmAgent({ name: 'root', model, tools: [ask] });
    const answer = { functionResponse: { id: 'slow', name: 'ask', response: { answer: 42 } } };

    const paused = await runTurn(resumable(root));
    const waits = isWaiting(paused.session.events, INVOCATION_ID, true);
    const resumed = await goOn(resumable(root), paused, { role: 'user', parts: [answer] });

    expect([outline(paused.events), waits]).toEqual([['root: ask', 'root: ask'], true]);
    expect(outline(resumed.events)).toEqual(['root: It is 42.', 'root ended']);
    expect(isWaiting(resumed.session.events, INVOCATION_ID, true)).toBe(false);
    expect(model.requests[1]?.contents.at(-1)?.parts).toEqual([answer]);
  });

  it('does not wait for calls that a failed run closed', async () => {
    const model = new FakeLlm([
      [calls({ id: 'slow', name: 'ask' }, { id: 'bad', name: 'fail' })],
      [text('Then so.')],
    ]);
    const tools = [
      new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined }),
      new FunctionTool({
        name: 'fail',
        description: 'Fails.',
        execute: () => {
          throw new Error('Broken.');
        },
      }),
    ];
    const root = new LlmAgent({ name: 'root', model, tools, toolErrors: 'raise' });

    const failed = await runTurn(resumable(root));
    const resumed = await goOn(resumable(root), failed, null);

    expect(failed.error).toMatchObject({ message: 'Broken.' });
    expect(isWaiting(failed.session.events, INVOCATION_ID, true)).toBe(false);
    expect(outline(resumed.events)).toEqual(['root: Then so.', 'root ended']);
  });

  it('runs calls that were stored and never answered, without asking the model again', async () => {
    const ran: string[] = [];
    const model = new FakeLlm([[calls({ id: 'c', name: 'f' })], [text('done')]]);
    const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => ran.push('f') })];
    const root = new LlmAgent({ name: 'root', model, tools });
    const whole = await runTurn(root);
    const cut = { ...whole, session: { ...whole.session, events: whole.session.events.slice(0, 2) } };

    const resumed = await goOn(resumable(root), cut, null);

    expect(outline(resumed.events)).toEqual(['root: f', 'root: done', 'root ended']);
    expect(ran).toHaveLength(2);
    expect(model.requests.map(({ ordinal }) => ordinal)).toEqual([0, 1, 1]);
  });

  it('has nothing left to do in an invocation that ended', async () => {
    const root = saying('root', '1', '2');
    const whole = await runTurn(resumable(root));

    const resumed = await goOn(resumable(root), whole, null);

    expect(resumed.events).toEqual([]);
  });
});

describe('an app that is not resumable', () => {
  it('notes nothing, and has the agent that asked read the answer', async () => {
    const tree = () =>
      new SequentialAgent({ name: 'root', subAgents: [asking('first', 'got it'), saying('second', '2')] });

    const paused = await runTurn(tree());
    const resumed = await goOn(tree(), paused, answerTo('first'));

    expect(outline(paused.events)).toEqual(['first: ask', 'second: 2']);
    expect(outline(resumed.events)).toEqual(['first: got it']);
  });
});

describe('a resumable app that goes on without a message (B54)', () => {
  it('does not ask the callbacks of an agent that was done', async () => {
    const callback = jest.fn(() => undefined);
    const done = () =>
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[text('Done.')]]),
        beforeAgentCallback: callback,
        afterAgentCallback: callback,
      });
    const first = await runTurn(resumable(done()));

    const second = await goOn(resumable(done()), first, null);

    expect(second.events).toEqual([]);
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it('follows a hand-over that was the last thing said, without asking who handed over again', async () => {
    const model = () =>
      new FakeLlm([[calls({ name: 'transfer_to_agent', args: { agent_name: 'child' } })], [text('?')]]);
    const tree = () =>
      new LlmAgent({ name: 'root', model: model(), subAgents: [saying('child', 'Here I am.')] });
    const whole = await runTurn(resumable(tree()));
    const handedOver = whole.session.events.findIndex(({ actions }) => actions.transferToAgent);
    const cut = {
      ...whole,
      session: { ...whole.session, events: whole.session.events.slice(0, handedOver + 1) },
    };

    const resumed = await goOn(resumable(tree()), cut, null);

    expect(outline(resumed.events)).toEqual(outline(whole.events.slice(handedOver)));
  });

  it('has an agent that was done begin anew when it is handed over to once more', async () => {
    const transfer = calls({ name: 'transfer_to_agent', args: { agent_name: 'child' } });
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
    const tree = () =>
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[transfer], [calls({ id: 'call_root', name: 'ask' })], [transfer]]),
        tools: [ask],
        subAgents: [
          new LlmAgent({
            name: 'child',
            model: new FakeLlm([
              [calls({ name: 'transfer_to_agent', args: { agent_name: 'root' } })],
              [text('Again.')],
            ]),
          }),
        ],
      });
    const paused = await runTurn(resumable(tree()));

    const resumed = await goOn(resumable(tree()), paused, answerTo('root'));

    expect(outline(resumed.events)).toContain('child: Again.');
  });
});
