import { type Event } from '@skein/contracts';
import {
  aSession,
  calls,
  FakeLlm,
  INVOCATION_ID,
  type RecordingJournal,
  runTurn,
  text,
} from '@skein/testing';
import { type AgentCallback } from '../agent/callbacks';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { ParallelAgent } from '../agent/parallel-agent';
import { getFunctionResponses } from '../event/function-parts';
import { eventIdOf } from '../journal/event-id';
import { FunctionTool } from '../tool/function-tool';

/** An agent that has a tool called twice, in two rounds, then says "done". */
function aTwoRoundAgent(config: Partial<LlmAgentConfig> = {}) {
  const ran: string[] = [];
  const model = new FakeLlm([
    [calls({ name: 'count', args: { n: 1 } })],
    [calls({ name: 'count', args: { n: 2 } }, { name: 'count', args: { n: 3 } })],
    [text('done')],
  ]);
  const count = new FunctionTool({
    name: 'count',
    description: 'Counts.',
    execute: ({ n }, { state }) => {
      ran.push(String(n));
      state.set('count', n);
      state.set('temp:last', n);
      return { n };
    },
  });
  return { model, ran, agent: new LlmAgent({ name: 'root', model, tools: [count], ...config }) };
}

const TWO_ROUND_KEYS = [
  '0/user.0',
  '0/root.0/model.0',
  '0/root.0/tools.0',
  '0/root.0/model.1',
  '0/root.0/tools.1',
  '0/root.0/model.2',
];

describe('the user event', () => {
  it('is stored first, carries the state of the request and the metadata of the run (B48)', async () => {
    const { agent, model } = aTwoRoundAgent({ instruction: '{mood}' });

    const { journal, session } = await runTurn(agent, {
      stateDelta: { mood: 'good', 'temp:once': 1 },
      // The second key is the engine's own: a client that sets it would change what counts as an answer.
      runConfig: { customMetadata: { from: 'test', 'skein.skippedModel': true } },
    });

    expect(journal.staged[0]?.event).toMatchObject({
      author: 'user',
      content: { role: 'user', parts: [{ text: 'hi' }] },
      actions: { stateDelta: { mood: 'good' } },
      customMetadata: { from: 'test' },
    });
    expect(JSON.stringify(journal.staged)).not.toContain('skein.');
    expect(session.state).toMatchObject({ mood: 'good' });
    expect(model.requests[0]?.config.systemInstruction).toMatch(/^good\n/);
  });

  it('has the role user when the message names none (B46)', async () => {
    const { journal } = await runTurn(aTwoRoundAgent().agent, { said: { parts: [{ text: 'hi' }] } });

    expect(journal.staged[0]?.event.content?.role).toBe('user');
  });
});

describe('temp: state (B56)', () => {
  it('is seen by later steps of the invocation, and neither shown nor stored', async () => {
    const seen: unknown[] = [];
    const { agent } = aTwoRoundAgent({
      beforeModelCallback: ({ context }) => {
        seen.push(context.state.get('temp:last'));
        return undefined;
      },
    });

    const { events, journal } = await runTurn(agent);

    expect(seen).toEqual([undefined, 1, 3]);
    const shown = events.map(({ actions }) => actions.stateDelta);
    const stored = journal.staged.map(({ event }) => event.actions.stateDelta);
    expect(JSON.stringify([shown, stored])).not.toContain('temp:');
    expect(journal.staged.map(({ temp }) => temp['temp:last'])).toEqual([
      undefined,
      undefined,
      1,
      undefined,
      3,
      undefined,
    ]);
  });
});

describe('step keys', () => {
  it('name segment, frame and step of a run of two rounds', async () => {
    const { journal } = await runTurn(aTwoRoundAgent().agent);

    expect(journal.stepKeys).toEqual(TWO_ROUND_KEYS);
  });

  it('give a second run of the same code the same event ids', async () => {
    const first = await runTurn(aTwoRoundAgent().agent);
    const second = await runTurn(aTwoRoundAgent().agent);

    const ids = (journal: RecordingJournal) => journal.staged.map(({ event }) => event.id);
    expect(ids(second.journal)).toEqual(ids(first.journal));
    expect(ids(first.journal)).toEqual(TWO_ROUND_KEYS.map((key) => eventIdOf(INVOCATION_ID, key)));
  });

  it('name the dispatches whose responses an event carries', async () => {
    const { journal } = await runTurn(aTwoRoundAgent().agent);

    const applied = journal.staged.map(({ appliedCalls }) => appliedCalls?.length);
    expect(applied).toEqual([undefined, undefined, 1, undefined, 2, undefined]);
    expect(new Set(journal.staged.flatMap(({ appliedCalls = [] }) => appliedCalls)).size).toBe(3);
  });
});

describe('a run that goes on after a crash', () => {
  it.each([0, 1, 2, 3, 4, 5, 6])(
    'after %d stored events neither asks nor runs again what is stored, and ends the same',
    async (storedEvents) => {
      const whole = await runTurn(aTwoRoundAgent().agent);
      const journal = whole.journal.cutAfter(storedEvents);
      const { agent, model, ran } = aTwoRoundAgent();

      const resumed = await runTurn(agent, { journal, now: () => 9_999_000 });

      const stored = TWO_ROUND_KEYS.slice(0, storedEvents);
      expect(model.requests.map(({ ordinal }) => ordinal)).toEqual(
        [0, 1, 2].filter((n) => !stored.includes(`0/root.0/model.${n}`)),
      );
      expect(ran).toEqual([
        ...(stored.includes('0/root.0/tools.0') ? [] : ['1']),
        ...(stored.includes('0/root.0/tools.1') ? [] : ['2', '3']),
      ]);
      expect(resumed.session.events.map(withoutTime)).toEqual(whole.session.events.map(withoutTime));
      expect(resumed.session.state).toEqual(whole.session.state);
      expect(resumed.journal.staged.slice(0, storedEvents)).toEqual(
        whole.journal.staged.slice(0, storedEvents),
      );
    },
  );

  it('gives later steps the temp: state of stored ones (B56)', async () => {
    const seen: unknown[] = [];
    const beforeModelCallback: LlmAgentConfig['beforeModelCallback'] = ({ context }) => {
      seen.push(context.state.get('temp:last'));
      return undefined;
    };
    const whole = await runTurn(aTwoRoundAgent().agent);

    await runTurn(aTwoRoundAgent({ beforeModelCallback }).agent, { journal: whole.journal.cutAfter(3) });

    expect(seen).toEqual([1, 3]);
  });

  it('asks no callback of a stored step again', async () => {
    const callback = jest.fn<undefined, Parameters<AgentCallback>>(({ state }) => {
      state.set('asked', true);
      return undefined;
    });
    const first = await runTurn(aTwoRoundAgent({ beforeAgentCallback: callback }).agent);

    const second = await runTurn(aTwoRoundAgent({ beforeAgentCallback: callback }).agent, {
      journal: first.journal,
    });

    expect(callback).toHaveBeenCalledTimes(1);
    expect(second.events).toEqual(first.events);
  });

  it('does not ask again for an answer that said nothing (B18)', async () => {
    const silent = () => new FakeLlm([[{}]]);
    const first = await runTurn(new LlmAgent({ name: 'root', model: silent() }));
    const model = silent();

    const second = await runTurn(new LlmAgent({ name: 'root', model }), { journal: first.journal });

    expect(model.requests).toEqual([]);
    expect(second.events).toEqual([]);
  });

  it('yields every whole answer a stored call gave (B17)', async () => {
    const twice = () => new LlmAgent({ name: 'root', model: new FakeLlm([[text('one'), text('two')]]) });
    const first = await runTurn(twice());

    const second = await runTurn(twice(), { journal: first.journal });

    expect(second.events).toEqual(first.events);
    expect(second.events).toHaveLength(2);
  });

  it('counts the model calls made before (B22)', async () => {
    const whole = await runTurn(aTwoRoundAgent().agent);

    const { error } = await runTurn(aTwoRoundAgent().agent, {
      journal: whole.journal.cutAfter(5),
      runConfig: { maxLlmCalls: 2 },
    });

    expect(error).toMatchObject({ name: 'LlmCallsLimitExceededError' });
  });
});

describe('a run that fails', () => {
  const broken = new FunctionTool({
    name: 'broken',
    description: 'Throws.',
    execute: () => {
      throw new Error('Broken.');
    },
  });

  function aFailingAgent() {
    const model = new FakeLlm([
      [calls({ id: 'same', name: 'count' })],
      [calls({ id: 'same', name: 'broken' })],
    ]);
    const count = new FunctionTool({ name: 'count', description: 'Counts.', execute: () => 1 });
    return new LlmAgent({ name: 'root', model, tools: [count, broken], toolErrors: 'raise' });
  }

  it('answers its open calls with an error, also when their id was answered before, then says why (B23)', async () => {
    const { events, error, journal } = await runTurn(aFailingAgent());

    const [dangling, last] = events.slice(-2);
    expect(getFunctionResponses(dangling ?? {})).toEqual([
      {
        id: 'same',
        name: 'broken',
        response: { error: 'The run failed before this call was answered: Broken.' },
      },
    ]);
    expect(last).toMatchObject({ errorCode: 'ToolError', errorMessage: 'Broken.' });
    expect(error).toMatchObject({ message: 'Broken.' });
    expect(journal.staged.slice(-2).map(({ stepKey }) => stepKey)).toEqual(['0/dangling.0', '0/error.0']);
  });

  it('answers in the name and on the branch of whoever called, and names the agent that failed (B5, B49)', async () => {
    const child = aFailingAgent();
    const parallel = new ParallelAgent({ name: 'parallel', subAgents: [child] });

    const { events } = await runTurn(parallel);

    expect(events.slice(-2)).toMatchObject([
      { author: 'root', branch: 'parallel.root', content: { role: 'user' } },
      { author: 'root', errorMessage: 'Broken.' },
    ]);
  });

  it('leaves a session whose next turn is valid', async () => {
    const session = aSession();
    await runTurn(aFailingAgent(), { session });

    const model = new FakeLlm([[text('again')]]);
    const { error } = await runTurn(new LlmAgent({ name: 'other', model }), { session });

    expect(error).toBeUndefined();
    expect(session.events.filter(isOpen)).toEqual([]);

    function isOpen({ content }: Event, index: number): boolean {
      const asks = content?.parts?.some(({ functionCall }) => functionCall) ?? false;
      const next = session.events[index + 1];
      return asks && (!next || getFunctionResponses(next).length === 0);
    }
  });

  it('has failed for good once that is stored: after a crash it asks nobody again', async () => {
    const { journal } = await runTurn(
      new LlmAgent({ name: 'root', model: new FakeLlm([new Error('Down.')]) }),
    );
    const model = new FakeLlm([[text('up again')]]);

    const again = await runTurn(new LlmAgent({ name: 'root', model }), { journal });

    expect(model.requests).toEqual([]);
    expect(again).toMatchObject({ events: [], error: { code: 'Error', message: 'Down.' } });
    expect(journal.staged.map(({ stepKey }) => stepKey)).toEqual(['0/user.0', '0/error.0']);
  });

  it('stores nothing more when it was cancelled', async () => {
    const controller = new AbortController();
    const { agent } = aTwoRoundAgent({
      beforeModelCallback: () => {
        controller.abort(new Error('Cancelled.'));
        throw new Error('Too late.');
      },
    });

    const { events, error, journal } = await runTurn(agent, { signal: controller.signal });

    expect(error).toMatchObject({ message: 'Cancelled.' });
    expect(events).toEqual([]);
    expect(journal.stepKeys).toEqual(['0/user.0']);
  });
});

function withoutTime({ timestamp: _timestamp, ...event }: Event): Omit<Event, 'timestamp'> {
  return event;
}
