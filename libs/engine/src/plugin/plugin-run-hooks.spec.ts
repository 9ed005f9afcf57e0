import { type Event } from '@skein/contracts';
import { aPlugin, aSession, calls, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { getFunctionCalls } from '../event/function-parts';
import { FunctionTool } from '../tool/function-tool';
import { type PluginHooks } from './base-plugin';

type Answers = ConstructorParameters<typeof FakeLlm>[0];

/** An app of one agent and one plugin of these hooks. */
function anApp(
  hooks: Partial<PluginHooks>,
  answers: Answers = [[text('done')]],
  config: Partial<LlmAgentConfig> = {},
) {
  const model = new FakeLlm(answers);
  const rootAgent = new LlmAgent({ name: 'root', model, ...config });
  return { model, app: { rootAgent, plugins: [aPlugin(hooks)] } };
}

const texts = (events: readonly Event[]) => events.map(({ content }) => content?.parts?.[0]?.text);

describe('on_user_message', () => {
  it('replaces what the user said before it is stored and before anybody sees it (B48)', async () => {
    const { app, model } = anApp({
      onUserMessageCallback: ({ userMessage }) => ({
        ...userMessage,
        parts: [{ text: `${userMessage.parts?.[0]?.text ?? ''}, please` }],
      }),
      beforeAgentCallback: ({ callbackContext }) => {
        seen.push(callbackContext.userContent?.parts?.[0]?.text);
        return undefined;
      },
    });
    const seen: unknown[] = [];

    const { journal } = await runTurn(app, { said: 'Sing' });

    expect(journal.staged[0]?.event).toMatchObject({ author: 'user', content: text('x').content && {} });
    expect(texts(journal.staged.map(({ event }) => event))).toEqual(['Sing, please', 'done']);
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts: [{ text: 'Sing, please' }] }]);
    expect(seen).toEqual(['Sing, please']);
  });

  it('has what it sets stored with the event of the user', async () => {
    const { app } = anApp({
      onUserMessageCallback: async ({ callbackContext }) => {
        callbackContext.state.set('greeted', true);
        await callbackContext.saveArtifact('note', { text: 'hi' });
        return undefined;
      },
    });

    const { journal, session } = await runTurn(app, { stateDelta: { mood: 'good' } });

    expect(journal.staged[0]?.event.actions).toMatchObject({
      stateDelta: { greeted: true, mood: 'good' },
      artifactDelta: { note: 0 },
    });
    expect(session.state).toEqual({ greeted: true, mood: 'good' });
  });

  it('is not asked again after a crash, and the run sees the same (B48)', async () => {
    const onUserMessageCallback = jest.fn(() => ({ parts: [{ text: 'changed' }] }));
    const seen: unknown[] = [];
    const hooks: Partial<PluginHooks> = {
      onUserMessageCallback,
      beforeAgentCallback: ({ callbackContext }) => void seen.push(callbackContext.userContent),
    };
    const { journal } = await runTurn(anApp(hooks).app);

    const resumed = await runTurn(anApp(hooks).app, { journal: journal.cutAfter(1) });

    expect(onUserMessageCallback).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([seen[0], seen[0]]);
    expect(resumed.journal.staged).toEqual(journal.staged);
  });

  it('fails the run when it throws, with its name and the hook (B53)', async () => {
    const { app, model } = anApp({ onUserMessageCallback: () => Promise.reject(new Error('No.')) });

    const { events, error } = await runTurn(app);

    expect(error).toMatchObject({
      message: "Error in plugin 'a-plugin' during 'onUserMessageCallback' callback: No.",
    });
    expect(events).toMatchObject([{ errorCode: 'plugin.failed' }]);
    expect(model.requests).toEqual([]);
  });
});

describe('before_run', () => {
  it('stops the run with one event of the author model (B51)', async () => {
    const afterRunCallback = jest.fn();
    const onEventCallback = jest.fn();
    const { app, model } = anApp({
      beforeRunCallback: () => ({ parts: [{ text: 'Closed.' }] }),
      onEventCallback,
      afterRunCallback,
    });

    const { events, journal, session } = await runTurn(app);

    expect(events).toMatchObject([
      { author: 'model', content: { role: 'model', parts: [{ text: 'Closed.' }] } },
    ]);
    expect(journal.staged.map(({ event }) => event.author)).toEqual(['user', 'model']);
    expect(session.events).toHaveLength(2);
    expect(model.requests).toEqual([]);
    expect(onEventCallback).not.toHaveBeenCalled();
    expect(afterRunCallback).toHaveBeenCalledTimes(1);
  });

  it('sees the message of the user in the session', async () => {
    const { app } = anApp({
      beforeRunCallback: ({ invocationContext }) =>
        void seen.push(...texts(invocationContext.session.events)),
    });
    const seen: unknown[] = [];

    await runTurn(app, { said: 'hello' });

    expect(seen).toEqual(['hello']);
  });

  it.each([
    ['says something', { parts: [{ text: 'Closed.' }] }, 2, 0],
    ['lets the run go on', undefined, 1, 1],
  ])('is asked once over a resume when it %s (B51)', async (_does, answer, events, records) => {
    const beforeRunCallback = jest.fn(() => answer);
    const { journal } = await runTurn(anApp({ beforeRunCallback }).app);

    const resumed = await runTurn(anApp({ beforeRunCallback }).app, {
      journal: journal.cutAfter(events, records),
    });

    expect(beforeRunCallback).toHaveBeenCalledTimes(1);
    expect(resumed.journal.staged).toEqual(journal.staged);
  });
});

describe('an answer that is no content', () => {
  // As a plugin without types may give it.
  const noContent = () => 'Closed.' as never;

  it.each([
    'onUserMessageCallback',
    'beforeRunCallback',
    'beforeAgentCallback',
    'afterAgentCallback',
  ] as const)('of %s fails the run, and none of it is stored', async (hook) => {
    const { events, error } = await runTurn(anApp({ [hook]: noContent }).app);

    expect(error).toMatchObject({ code: 'callback.bad-answer' });
    expect(events.at(-1)).toMatchObject({ errorCode: 'callback.bad-answer' });
  });
});

describe('on_event', () => {
  it('changes what is shown and stored, and keeps id, invocation and time (B50)', async () => {
    const original: Event[] = [];
    const { app } = anApp({
      onEventCallback: ({ event }) => {
        original.push(event);
        return { ...text('changed'), id: 'x', invocationId: 'y', timestamp: 7, customMetadata: { by: 'me' } };
      },
    });

    const { events, journal, session } = await runTurn(app);

    const { id, invocationId, timestamp } = original[0] ?? {};
    expect(original).toMatchObject([{ author: 'root', content: text('done').content }]);
    expect(events).toMatchObject([
      {
        id,
        invocationId,
        timestamp,
        author: 'root',
        customMetadata: { by: 'me' },
        content: text('changed').content,
      },
    ]);
    expect(journal.staged[1]?.event).toEqual(events[0]);
    expect(session.events[1]).toEqual(events[0]);
  });

  it('sees partial events, changes them, and makes none of them whole (B50, B19)', async () => {
    const { app } = anApp(
      {
        onEventCallback: ({ event }) => ({
          content: { parts: [{ text: `<${String(texts([event])[0])}>` }] },
          partial: false,
        }),
      },
      [[partial(text('a')), text('ab')]],
    );

    const { events, journal } = await runTurn(app);

    expect(events.map(({ partial }) => partial)).toEqual([true, undefined]);
    expect(texts(events)).toEqual(['<a>', '<ab>']);
    expect(journal.staged).toHaveLength(2);
  });

  it('leaves the very event when it answers nothing', async () => {
    const seen: Event[] = [];
    const { app } = anApp({ onEventCallback: ({ event }) => void seen.push(event) });

    const { journal } = await runTurn(app);

    expect(seen).toHaveLength(1);
    expect(journal.records).toEqual([]);
  });

  it('is not asked again after a crash, and the agent goes on from its own event (B50)', async () => {
    const ran: unknown[] = [];
    const run = (journal?: Awaited<ReturnType<typeof runTurn>>['journal']) => {
      const ping = new FunctionTool({
        name: 'ping',
        description: 'Pings.',
        execute: ({ secret }) => void ran.push(secret),
      });
      const answers = [[calls({ id: 'c', name: 'ping', args: { secret: 'original' } })], [text('done')]];
      const { app, model } = anApp({ onEventCallback }, answers, { tools: [ping] });
      return runTurn(app, journal ? { journal } : {}).then((turn) => ({ ...turn, model }));
    };
    const onEventCallback = jest.fn(({ event }: { event: Event }) =>
      getFunctionCalls(event).length > 0
        ? calls({ id: 'c', name: 'ping', args: { secret: 'hidden' } })
        : undefined,
    );
    const whole = await run();
    onEventCallback.mockClear();

    const resumed = await run(whole.journal.cutAfter(2, 1));

    expect(ran).toEqual(['original', 'original']);
    expect(onEventCallback.mock.calls.map(([{ event }]) => event.id)).toEqual(
      whole.events.slice(1).map(({ id }) => id),
    );
    expect(resumed.journal.staged).toEqual(whole.journal.staged);
    expect(resumed.events.flatMap(getFunctionCalls)).toMatchObject([{ args: { secret: 'hidden' } }]);
    expect(resumed.model.requests.at(-1)?.contents).toEqual(whole.model.requests.at(-1)?.contents);
  });

  it('keeps temp: state of a changed event over a crash (B56)', async () => {
    const seen: unknown[] = [];
    const hooks: Partial<PluginHooks> = {
      afterModelCallback: ({ callbackContext }) => {
        callbackContext.state.set('temp:n', 1);
        return undefined;
      },
      onEventCallback: () => ({ customMetadata: { changed: true } }),
      afterAgentCallback: ({ callbackContext }) => void seen.push(callbackContext.state.get('temp:n')),
    };
    const { journal, events } = await runTurn(anApp(hooks).app);

    await runTurn(anApp(hooks).app, { journal: journal.cutAfter(2, 1) });

    expect(events[0]?.actions.stateDelta).toEqual({});
    expect(seen).toEqual([1, 1]);
  });

  it('that makes something no event can be fails the run, and stores none of it', async () => {
    const { app } = anApp({
      onEventCallback: () => ({ content: { parts: [{ text: 1 as unknown as string }] } }),
    });

    const { error, events } = await runTurn(app);

    expect(error).toMatchObject({ code: 'plugin.bad-event' });
    expect(events).toMatchObject([{ errorCode: 'plugin.bad-event' }]);
  });

  it('is not asked about the event of the user, nor about how a run failed', async () => {
    const onEventCallback = jest.fn();
    const { app } = anApp({ onEventCallback }, [new Error('Quota.')]);

    await runTurn(app);

    expect(onEventCallback).not.toHaveBeenCalled();
  });
});

describe('the end of a run', () => {
  it('is told to after_run once all is stored, and only when the run was successful (B52)', async () => {
    const { app } = anApp({
      afterRunCallback: ({ invocationContext }) => void ends.push(invocationContext.session.events.length),
      onRunErrorCallback: ({ error }) => void errors.push(error),
    });
    const ends: number[] = [];
    const errors: Error[] = [];

    await runTurn(app, { session: aSession() });

    expect(ends).toEqual([2]);
    expect(errors).toEqual([]);
  });

  it('that failed is told to on_run_error, which changes nothing about it (B52)', async () => {
    const failure = new Error('Quota.');
    const onRunErrorCallback = jest.fn(() => ({ parts: [{ text: 'ignored' }] }) as never);
    const afterRunCallback = jest.fn();
    const { app } = anApp({ onRunErrorCallback, afterRunCallback }, [failure]);

    const { error, events } = await runTurn(app);

    expect(error).toBe(failure);
    expect(events).toMatchObject([{ errorCode: 'Error', errorMessage: 'Quota.' }]);
    expect(onRunErrorCallback).toHaveBeenCalledWith(expect.objectContaining({ error: failure }));
    expect(afterRunCallback).not.toHaveBeenCalled();
  });

  it('is the error itself also when on_run_error throws', async () => {
    const { app } = anApp({ onRunErrorCallback: () => Promise.reject(new Error('Broken.')) }, [
      new Error('Quota.'),
    ]);

    expect((await runTurn(app)).error).toMatchObject({ message: 'Quota.' });
  });

  it('by a cancel is no error of the run (B52)', async () => {
    const controller = new AbortController();
    const onRunErrorCallback = jest.fn();
    const onAgentErrorCallback = jest.fn();
    const { app } = anApp({
      onRunErrorCallback,
      onAgentErrorCallback,
      beforeModelCallback: () => {
        controller.abort(new Error('cancelled'));
        throw new Error('cut');
      },
    });

    const { error } = await runTurn(app, { signal: controller.signal });

    expect(error).toMatchObject({ message: 'cancelled' });
    expect(onRunErrorCallback).not.toHaveBeenCalled();
    expect(onAgentErrorCallback).not.toHaveBeenCalled();
  });
});
