import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  anEvent,
  aPlugin,
  calls,
  FakeLlm,
  INVOCATION_ID,
  RecordingJournal,
  runTurn,
  text,
} from '@skein/testing';
import { CustomAgent } from '../agent/custom-agent';
import { LlmAgent } from '../agent/llm-agent';
import { type RunnableApp } from '../app/app';
import { type StagedEvent } from '../journal/journal';
import { FunctionTool } from '../tool/function-tool';
import { observed, type Operation } from './operations';
import { traced, traceGenerator } from './trace';

const KINDS = ['llm', 'tool', 'agent', 'step', 'append'];
const momentsOf = (kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) => ['start', 'stop', 'exception'].map((moment) => `skein:${kind}:${moment}`));

/** What is published of these kinds while `work` runs. */
async function published(
  work: () => Promise<unknown>,
  kinds = KINDS,
): Promise<{ channel: string; operation: Operation }[]> {
  const channels = momentsOf(kinds);
  const heard: { channel: string; operation: Operation }[] = [];
  const listen = (message: unknown, channel: string | symbol): void =>
    void heard.push({ channel: String(channel), operation: message as Operation });
  for (const channel of channels) subscribe(channel, listen);
  await work().catch(() => undefined);
  for (const channel of channels) unsubscribe(channel, listen);
  return heard;
}

const ping = new FunctionTool({ name: 'ping', description: 'Pings.', execute: () => 'pong' });
const anAgent = (answers: ConstructorParameters<typeof FakeLlm>[0]) =>
  new LlmAgent({ name: 'root', model: new FakeLlm(answers), tools: [ping] });

describe('the channels of operations', () => {
  it('tell the start and the stop of agents, model calls and tools, with their attributes', async () => {
    const agent = anAgent([[calls({ id: 'c', name: 'ping' })], [text('done')]]);

    const heard = await published(() => runTurn(agent));

    expect(heard.map(({ channel, operation }) => `${channel} ${operation.name}`)).toEqual([
      'skein:agent:start invoke_agent root',
      'skein:llm:start call_llm',
      'skein:llm:stop call_llm',
      'skein:tool:start execute_tool ping',
      'skein:tool:stop execute_tool ping',
      'skein:llm:start call_llm',
      'skein:llm:stop call_llm',
      'skein:agent:stop invoke_agent root',
    ]);
    expect(heard[3]?.operation.attributes).toMatchObject({ 'gen_ai.tool.call.id': 'c' });
    expect(heard[4]?.operation).toBe(heard[3]?.operation);
  });

  it("tell of the model alone: what it said of its answer, and its failure; not a callback's word in its place", async () => {
    const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 3 };
    const told = async (agent: LlmAgent) =>
      (await published(() => runTurn(agent), ['model'])).map(({ channel, operation }) => [
        channel,
        operation.answer?.usageMetadata,
        operation.error,
      ]);

    expect(await told(anAgent([[{ ...text('done'), usageMetadata }]]))).toEqual([
      ['skein:model:start', usageMetadata, undefined],
      ['skein:model:stop', usageMetadata, undefined],
    ]);
    const failing = new LlmAgent({ name: 'root', model: new FakeLlm([new Error('away')]) });
    expect(await told(failing)).toEqual([
      ['skein:model:start', undefined, new Error('away')],
      ['skein:model:exception', undefined, new Error('away')],
    ]);
    const model = new FakeLlm([]);
    const answered = new LlmAgent({ name: 'root', model, beforeModelCallback: () => text('mine') });
    expect(await told(answered)).toEqual([]);
  });

  it('tell a step of an author from its start until it is stored', async () => {
    let invocationId = '';
    const agent = new CustomAgent({
      name: 'root',
      run: async function* (context) {
        ({ invocationId } = context);
        const said = await context.step('charge', () => 'paid');
        yield anEvent({ content: { role: 'model', parts: [{ text: said }] } });
      },
    });

    const heard = await published(() => runTurn(agent));

    const steps = heard.filter(({ channel }) => channel.startsWith('skein:step'));
    expect(steps.map(({ channel }) => channel)).toEqual(['skein:step:start', 'skein:step:stop']);
    expect(steps[0]?.operation.attributes).toEqual({
      'gcp.vertex.agent.invocation_id': invocationId,
      'skein.step.name': 'charge',
    });
  });

  describe('so that a process that is to stop leaves nothing paid behind', () => {
    /** What a slow listener of the run heard and saw staged, in order. */
    async function course(app: Partial<RunnableApp> & Pick<RunnableApp, 'rootAgent'>): Promise<string[]> {
      const seen: string[] = [];
      class Watched extends RecordingJournal {
        override stageEvent(staged: StagedEvent): void {
          seen.push(`staged ${staged.stepKey}`);
          super.stageEvent(staged);
        }
      }
      const look = async (): Promise<undefined> => {
        for (let n = 0; n < 5; n++) await nextTurn();
        return undefined;
      };
      const plugins = [aPlugin({ onEventCallback: look, afterToolCallback: look })];
      const listen = (message: unknown, channel: string | symbol): void => {
        const { name, attributes } = message as Operation;
        expect(attributes['gcp.vertex.agent.invocation_id']).toBe(INVOCATION_ID);
        seen.push(`${name === 'step' ? String(attributes['skein.step.name']) : name} ${String(channel)}`);
      };
      const channels = momentsOf(['llm', 'step']);
      for (const channel of channels) subscribe(channel, listen);
      await runTurn({ plugins, ...app }, { journal: new Watched() });
      for (const channel of channels) unsubscribe(channel, listen);
      return seen;
    }

    it('a model call ends when its answer is staged', async () => {
      expect(await course({ rootAgent: anAgent([[text('done')]]) })).toEqual([
        'staged 0/user.0',
        'call_llm skein:llm:start',
        'on_event skein:step:start',
        'on_event skein:step:stop',
        'staged 0/root.0/model.0',
        'call_llm skein:llm:stop',
      ]);
    });

    it('what callbacks and plugins do with the result of a tool is told too', async () => {
      const seen = await course({ rootAgent: anAgent([[calls({ id: 'c', name: 'ping' })], [text('done')]]) });

      const from = seen.indexOf('after ping skein:step:start');
      expect(seen.slice(from, from + 5)).toEqual([
        'after ping skein:step:start',
        'after ping skein:step:stop',
        'on_event skein:step:start',
        'on_event skein:step:stop',
        'staged 0/root.0/tools.0',
      ]);
    });

    it('a summary counts as a model call', async () => {
      const eventsCompactionConfig = { compactionInterval: 1, overlapSize: 0 };

      const seen = await course({
        rootAgent: anAgent([[text('done')], [text('a summary')]]),
        eventsCompactionConfig,
      });

      expect(seen).toContain('compact_events skein:llm:start');
      expect(seen.indexOf('staged 0/compaction.0')).toBeGreaterThan(
        seen.indexOf('compact_events skein:llm:stop'),
      );
    });
  });

  it('tell an exception in the place of the stop', async () => {
    const failure = new Error('Quota.');

    const heard = await published(() => runTurn(anAgent([failure])));

    expect(heard.map(({ channel }) => channel)).toEqual([
      'skein:agent:start',
      'skein:llm:start',
      'skein:llm:exception',
      'skein:agent:exception',
    ]);
    expect(heard[2]?.operation.error).toBe(failure);
  });

  it('tell a stop when nobody reads a stream to its end', async () => {
    const work = async () => {
      const stream = traceGenerator('call_llm', {}, async function* () {
        yield 1;
        yield 2;
      });
      for await (const _item of stream) break;
    };

    const heard = await published(work);

    expect(heard.map(({ channel }) => channel)).toEqual(['skein:llm:start', 'skein:llm:stop']);
  });

  it('tell of work outside of a span too', async () => {
    const failure = new Error('Refused.');

    const heard = await published(async () => {
      await observed('append', { n: 1 }, async () => undefined);
      await observed('append', { n: 2 }, () => Promise.reject(failure));
    });

    expect(heard).toEqual([
      { channel: 'skein:append:start', operation: { name: 'append', attributes: { n: 1 } } },
      { channel: 'skein:append:stop', operation: { name: 'append', attributes: { n: 1 } } },
      { channel: 'skein:append:start', operation: { name: 'append', attributes: { n: 2 }, error: failure } },
      {
        channel: 'skein:append:exception',
        operation: { name: 'append', attributes: { n: 2 }, error: failure },
      },
    ]);
  });

  it('are not described where nobody listens', async () => {
    const attributes = () => {
      throw new Error('Asked.');
    };

    expect(await traced('execute_tool add', attributes, async () => 1, attributes)).toBe(1);
    const stream = traceGenerator('call_llm', attributes, async function* () {
      yield 2;
    });
    expect(await stream.next()).toEqual({ value: 2, done: false });
  });

  it('change nothing about what is run, heard or not', async () => {
    expect(await observed('append', {}, async () => 1)).toBe(1);
    await expect(observed('append', {}, () => Promise.reject(new Error('Refused.')))).rejects.toThrow(
      'Refused.',
    );
  });
});
