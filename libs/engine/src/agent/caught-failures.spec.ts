import { AdkError, type Event } from '@skein/contracts';
import { anEvent, aPlugin, type FakeAnswer, FakeLlm, runTurn, text } from '@skein/testing';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { type AgentRouter, RoutedAgent } from './routed-agent';
import { SequentialAgent } from './sequential-agent';

class Quota extends Error {
  override name = 'Quota';
  readonly code = 'quota.over';
}

const AWAY = new Error('away');

function says(words: string): Event {
  return anEvent({ author: 'root', content: { role: 'model', parts: [{ text: words }] } });
}

/** An agent that looks at what the one below it threw, and goes on. */
function aCatcher(answer: FakeAnswer, seen: unknown[]): CustomAgent {
  const weak = new LlmAgent({ name: 'weak', model: new FakeLlm([answer]) });
  return new CustomAgent({
    name: 'root',
    subAgents: [weak],
    run: async function* (context) {
      try {
        yield* weak.runAsync(context);
      } catch (thrown) {
        const { name, message, code } = thrown as Quota;
        seen.push([name, message, code, thrown instanceof Quota, AdkError.isInstance(thrown)]);
        yield says('caught');
      }
      yield says('end');
    },
  });
}

describe('a failure that an agent catches', () => {
  it.each([
    ['of an author', () => new Quota('No more.'), ['Quota', 'No more.', 'quota.over', false, false]],
    [
      'of the engine',
      () => new AdkError('unavailable', 'model.down', 'Down.', { retryAfterMs: 5 }),
      ['AdkError', 'Down.', 'model.down', false, true],
    ],
  ])('looks after a crash as it did before: one %s', async (_whose, failure, expected) => {
    const before: unknown[] = [];
    const after: unknown[] = [];
    const whole = await runTurn(aCatcher(failure(), before));

    const resumed = await runTurn(aCatcher([text('up again')], after), {
      journal: whole.journal.cutAfter(2, 9),
    });

    expect([whole.error, resumed.error]).toEqual([undefined, undefined]);
    expect(before).toEqual([expected]);
    expect(after).toEqual(before);
  });

  it('is itself what whoever stands outside gets: plugins, and the one who runs the agent', async () => {
    const failure = new Quota('No more.');
    const told: unknown[] = [];
    const plugin = aPlugin({ onAgentErrorCallback: async ({ error }) => void told.push(error) });
    const inner = new LlmAgent({ name: 'inner', model: new FakeLlm([failure]) });
    const rootAgent = new CustomAgent({
      name: 'root',
      subAgents: [inner],
      run: (context) => inner.runAsync(context),
    });

    const { error } = await runTurn({ rootAgent, plugins: [plugin] });

    expect(error).toBe(failure);
    expect(told).toEqual([failure, failure]);
    expect(told.every((one) => one === failure)).toBe(true);
  });

  it.each([
    ['an error of its own', new Error('c is away')],
    ['the same error', AWAY],
  ])('is not named by the error event of another agent that fails later with %s', async (_what, failure) => {
    const failing = (name: string, thrown: Error) =>
      new LlmAgent({ name, model: new FakeLlm([thrown, [text(`${name} is back`)]]) });
    const b = new LlmAgent({ name: 'b', model: new FakeLlm([[text('B')]]) });
    const router: AgentRouter = (_agents, _context, failed) => (failed ? 'b' : 'a');
    const desk = new RoutedAgent({ name: 'desk', agents: [failing('a', AWAY), b], router });
    const rootAgent = new SequentialAgent({ name: 'root', subAgents: [desk, failing('c', failure)] });

    const { error, session } = await runTurn(rootAgent);

    expect(error).toBe(failure);
    expect(session.events.slice(1)).toMatchObject([
      { author: 'b', content: { parts: [{ text: 'B' }] } },
      { author: 'c', errorMessage: failure.message },
    ]);
  });
});
