import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { anEvent, calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { BaseLlm } from '../model/base-llm';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { FunctionTool } from '../tool/function-tool';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { ParallelAgent } from './parallel-agent';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await turnOfTheLoop();
}

function says(author: string, words: string): Event {
  return anEvent({ author, content: { role: 'model', parts: [{ text: words }] } });
}

/** Answers when its run is ended: never. */
class HangingLlm extends BaseLlm {
  asked = 0;

  constructor() {
    super({ model: 'hanging' });
  }

  override async *generateContentAsync(
    _request: LlmRequest,
    _streams: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    this.asked += 1;
    await new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('ended')), { once: true }),
    );
    yield text('never');
  }
}

/** Says so many words, each after that many turns of the loop. */
function timed(name: string, waits: readonly number[]): CustomAgent {
  return new CustomAgent({
    name,
    run: async function* () {
      for (const [index, wait] of waits.entries()) {
        await turns(wait);
        yield says(name, `${name}${index}`);
      }
    },
  });
}

function wordsOf({ session }: Turn): (string | undefined)[] {
  return session.events.map(({ content }) => content?.parts?.[0]?.text);
}

describe('agents side by side that go on after a crash', () => {
  it('keep the order of the log when others before them had failed', async () => {
    const aTree = (models: { a: BaseLlm; b: BaseLlm }, slowness: number) => {
      const failing = (['a', 'b'] as const).map((name) => new LlmAgent({ name, model: models[name] }));
      const first = new ParallelAgent({ name: 'first', subAgents: failing });
      const slow = timed('c', [10 * slowness, 10 * slowness]);
      const fast = timed('d', [2 * slowness, 2 * slowness]);
      const second = new ParallelAgent({ name: 'second', subAgents: [slow, fast] });
      return new CustomAgent({
        name: 'root',
        subAgents: [first, second],
        run: async function* (context) {
          try {
            yield* first.runAsync(context);
          } catch {
            yield says('root', 'caught');
          }
          yield* second.runAsync(context);
          yield says('root', 'end');
        },
      });
    };
    const whole = await runTurn(aTree({ a: new FakeLlm([new Error('down')]), b: new HangingLlm() }, 1));
    const b = new HangingLlm();

    const resumed = await runTurn(aTree({ a: new FakeLlm([[text('up')]]), b }, 0), {
      journal: whole.journal.cutAfter(whole.journal.staged.length - 1, 9),
    });

    expect(wordsOf(whole)).toEqual(['hi', 'caught', 'd0', 'd1', 'c0', 'c1', 'end']);
    expect(wordsOf(resumed)).toEqual(wordsOf(whole));
    expect(b.asked).toBe(0);
  });

  it('come to what is stored of them while a tool beside them, cleared before, takes its time', async () => {
    let isHeld = false;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = new FunctionTool({
      name: 'slow',
      description: '',
      placement: 'inline',
      execute: () => (isHeld ? gate : turns(50)),
    });
    const seen: string[] = [];
    const aTree = () => {
      const a = new LlmAgent({
        name: 'a',
        model: new FakeLlm([[calls({ id: 'c', name: 'slow' })], [text('a')]]),
        tools: [slow],
        beforeToolCallback: () => undefined,
      });
      const b = new CustomAgent({
        name: 'b',
        run: async function* () {
          await turns(20);
          for (const word of ['b1', 'b2', 'b3']) {
            yield says('b', word);
            seen.push(word);
          }
        },
      });
      return new ParallelAgent({ name: 'root', subAgents: [a, b] });
    };
    const { journal } = await runTurn(aTree());
    // The message, the call, two of b's.
    const cut = journal.cutAfter(4, 9);
    isHeld = true;
    seen.length = 0;

    const resumed = runTurn(aTree(), { journal: cut });
    await turns(200);
    const seenMeanwhile = [...seen];
    release();
    const { error } = await resumed;

    expect(seenMeanwhile).toEqual(['b1', 'b2', 'b3']);
    expect(error).toBeUndefined();
  });

  it('keep the order of the log while one of them asks for steps at the same time', async () => {
    const aTree = (wait: number) => {
      const a = new CustomAgent({
        name: 'a',
        run: async function* (context) {
          await Promise.all(['p', 'q'].map((name) => context.step(name, () => turns(60))));
          yield says('a', 'a1');
        },
      });
      return new ParallelAgent({ name: 'root', subAgents: [a, timed('b', [wait, wait])] });
    };
    const { journal } = await runTurn(aTree(3));
    // The message and what b said.
    const cut = journal.cutAfter(3);

    const resumed = await runTurn(aTree(80), { journal: cut });

    expect(wordsOf(resumed)).toEqual(['hi', 'b0', 'b1', 'a1']);
    expect(resumed.journal.staged.map(({ event }) => event.id)).toEqual(
      resumed.session.events.map(({ id }) => id),
    );
  });
});
