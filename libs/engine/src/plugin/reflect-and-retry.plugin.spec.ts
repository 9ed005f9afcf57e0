import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { getFunctionResponses } from '../event/function-parts';
import { separateTemp } from '../state/state-scope';
import { FunctionTool } from '../tool/function-tool';
import { type ReflectAndRetryOptions, ReflectAndRetryToolPlugin } from './reflect-and-retry.plugin';

type Answers = ConstructorParameters<typeof FakeLlm>[0];
const ask = (ok = false) => [calls({ name: 'search', args: { ok } })];

/** An app whose tool fails unless it is asked with `ok`. */
function anApp(answers: Answers, plugin: ReflectAndRetryToolPlugin) {
  const search = new FunctionTool({
    name: 'search',
    description: 'Searches.',
    execute: ({ ok }) => {
      if (!ok) throw new Error('Bad query.');
      return { status: 'found' };
    },
  });
  const rootAgent = new LlmAgent({ name: 'root', model: new FakeLlm(answers), tools: [search] });
  return { rootAgent, plugins: [plugin] };
}

const withOptions = (options: ReflectAndRetryOptions = {}) => new ReflectAndRetryToolPlugin(options);
const responsesOf = (turn: Awaited<ReturnType<typeof runTurn>>) =>
  turn.events.flatMap(getFunctionResponses).map(({ response }) => response);

describe('ReflectAndRetryToolPlugin', () => {
  it('answers a failed call with what was wrong and how to go on', async () => {
    const turn = await runTurn(anApp([ask(), [text('done')]], withOptions()));

    expect(turn.error).toBeUndefined();
    expect(responsesOf(turn)).toEqual([
      {
        response_type: 'ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN',
        error_type: 'ToolError',
        error_details: 'Bad query.',
        retry_count: 1,
        reflection_guidance: expect.stringMatching(/`search`[^]*Bad query\.[^]*"ok": false[^]*retry 1 of 3/),
      },
    ]);
  });

  it('counts failures in a row, and begins again after a success', async () => {
    const answers = [ask(), ask(), ask(true), ask(), [text('done')]];

    const turn = await runTurn(anApp(answers, withOptions()));

    expect(responsesOf(turn).map((response) => response?.retry_count)).toEqual([1, 2, undefined, 1]);
    expect(turn.session.state).not.toHaveProperty('app:reflect_retry_tool_plugin.search');
  });

  it('counts the calls of one turn as one try', async () => {
    const both = [calls({ name: 'search', args: {} }, { name: 'search', args: {} })];

    const turn = await runTurn(anApp([both, ask(), [text('done')]], withOptions()));

    expect(responsesOf(turn).map((response) => response?.retry_count)).toEqual([1, 1, 2]);
  });

  it('fails the run when the retries are used up', async () => {
    const turn = await runTurn(anApp([ask(), ask(), ask()], withOptions({ maxRetries: 2 })));

    expect(turn.error).toMatchObject({ message: expect.stringContaining('Bad query.') });
  });

  it('tells the model to do without the tool instead, when it is asked to', async () => {
    const options = { maxRetries: 1, throwExceptionIfRetryExceeded: false };

    const turn = await runTurn(anApp([ask(), ask(), ask(), [text('done')]], withOptions(options)));

    expect(turn.error).toBeUndefined();
    expect(responsesOf(turn).slice(1)).toMatchObject([
      { retry_count: 1, reflection_guidance: expect.stringContaining('Do not call `search` again') },
      { retry_count: 1, reflection_guidance: expect.stringContaining('Do not call `search` again') },
    ]);
  });

  it.each([
    ['fails at once', true, expect.objectContaining({ code: 'plugin.failed' }), 1],
    ['gives up at once', false, undefined, 1],
  ])('with no retries %s', async (_does, throwExceptionIfRetryExceeded, error, responses) => {
    const options = { maxRetries: 0, throwExceptionIfRetryExceeded };

    const turn = await runTurn(anApp([ask(), [text('done')]], withOptions(options)));

    expect(turn.error).toEqual(error);
    expect(responsesOf(turn)).toHaveLength(responses);
  });

  it('goes on counting when the run goes on in another process', async () => {
    const answers = [ask(), ask(), ask(), [text('done')]];
    const whole = await runTurn(anApp(answers, withOptions()));

    for (const stored of [3, 4, 5]) {
      const resumed = await runTurn(anApp(answers, withOptions()), {
        journal: whole.journal.cutAfter(stored),
      });
      expect(resumed.journal.staged).toEqual(whole.journal.staged);
    }
    expect(responsesOf(whole).map((response) => response?.retry_count)).toEqual([1, 2, 3]);
  });

  it.each([
    ['invocation', [1, 1]],
    ['global', [1, 2]],
  ] as const)(
    'counts over the scope %s, in a session of its own each time',
    async (trackingScope, counts) => {
      const counted: unknown[] = [];
      let state = {};
      for (const invocationId of ['e-1', 'e-2']) {
        const app = anApp([ask(), [text('done')]], withOptions({ trackingScope }));
        const turn = await runTurn(app, { session: aSession({ state }), invocationId });
        // What outlives an invocation: temp: state is gone with it.
        state = separateTemp(turn.session.state).stored;
        counted.push(...responsesOf(turn).map((response) => response?.retry_count));
      }

      expect(counted).toEqual(counts);
    },
  );

  it('has a subclass say which results are errors', async () => {
    class Strict extends ReflectAndRetryToolPlugin {
      override async extractErrorFromResult({ result }: { readonly result: Record<string, unknown> }) {
        return result.status === 'found' ? { reason: 'too easy' } : undefined;
      }
    }

    const turn = await runTurn(anApp([ask(true), [text('done')]], new Strict()));

    expect(responsesOf(turn)).toMatchObject([
      { error_type: 'ToolError', error_details: '{"reason":"too easy"}', retry_count: 1 },
    ]);
  });

  it('leaves what it answered itself alone when the result is looked at', async () => {
    const extracted = jest.fn();
    class Looking extends ReflectAndRetryToolPlugin {
      override async extractErrorFromResult(params: unknown) {
        extracted(params);
        return undefined;
      }
    }

    await runTurn(anApp([ask(), [text('done')]], new Looking()));

    expect(extracted).not.toHaveBeenCalled();
  });

  it('helps a model that calls a tool that is none (B28)', async () => {
    const turn = await runTurn(anApp([[calls({ name: 'made up' })], [text('done')]], withOptions()));

    expect(responsesOf(turn)).toMatchObject([
      { error_details: expect.stringContaining("Tool 'made up' not found") },
    ]);
  });

  it('refuses a number of retries below 0', () => {
    expect(() => withOptions({ maxRetries: -1 })).toThrow(
      expect.objectContaining({ code: 'plugin.max-retries' }),
    );
    expect(() => withOptions({ maxRetries: NaN })).toThrow(
      expect.objectContaining({ code: 'plugin.max-retries' }),
    );
  });
});
