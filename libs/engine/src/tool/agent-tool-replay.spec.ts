import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { anEvent, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { CustomAgent } from '../agent/custom-agent';
import { LlmAgent } from '../agent/llm-agent';
import { ParallelAgent } from '../agent/parallel-agent';
import { BaseLlm } from '../model/base-llm';
import { type LlmResponse } from '../model/llm-response';
import { AgentTool } from './agent-tool';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await turnOfTheLoop();
}

function says(author: string, words: string, stateDelta = {}): Event {
  const event = anEvent({ author, content: { role: 'model', parts: [{ text: words }] } });
  return { ...event, actions: { ...event.actions, stateDelta } };
}

/** Answers after so many turns of the loop. */
class SlowLlm extends BaseLlm {
  constructor(
    private readonly wait: number,
    private readonly onAsked: () => void,
  ) {
    super({ model: 'slow' });
  }

  override async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    this.onAsked();
    await turns(this.wait);
    yield text('helped');
  }
}

/** Says b0 and b1, each after so many turns, and keeps count in state. */
function aSpeaker(wait: number, said: string[] = []): CustomAgent {
  return new CustomAgent({
    name: 'b',
    run: async function* () {
      for (const words of ['b0', 'b1']) {
        await turns(wait);
        yield says('b', words, { latest: words });
        said.push(words);
      }
    },
  });
}

function aCaller(helper: BaseAgent, onAfter?: (latest: unknown) => void): LlmAgent {
  return new LlmAgent({
    name: 'a',
    model: new FakeLlm([[calls({ id: 'c', name: helper.name, args: { request: 'x' } })], [text('done')]]),
    tools: [new AgentTool({ agent: helper })],
    afterToolCallback: ({ context }) => {
      onAfter?.(context.state.get('latest'));
      return undefined;
    },
  });
}

describe('an agent as a tool, in a run that goes on after a crash', () => {
  it.each([
    ['an agent', (llm: () => BaseLlm) => new LlmAgent({ name: 'helper', model: llm() })],
    [
      'agents side by side',
      (llm: () => BaseLlm) =>
        new ParallelAgent({
          name: 'helper',
          subAgents: ['p', 'q'].map((name) => new LlmAgent({ name, model: llm() })),
        }),
    ],
  ])('asks no model, %s, before those beside it came to what is stored of them', async (_what, helperOf) => {
    const aTree = (wait: number, helper: BaseAgent, said?: string[]) =>
      new ParallelAgent({ name: 'root', subAgents: [aCaller(helper), aSpeaker(wait, said)] });
    const whole = await runTurn(
      aTree(
        5,
        helperOf(() => new SlowLlm(90, () => undefined)),
      ),
    );
    // The run within the tool had begun, and asked.
    const journal = whole.journal.cutAfter(4, 1);
    expect(journal.stepKeys).toEqual([
      '0/user.0',
      '0/root.0/a.0/model.0',
      '0/root.0/b.0/event.0',
      '0/root.0/b.0/event.1',
      '0/root.0/a.0/tools.0/0/user.0',
    ]);

    const said: string[] = [];
    const saidWhenAsked: string[][] = [];
    const helper = helperOf(() => new SlowLlm(0, () => saidWhenAsked.push([...said])));
    const { error } = await runTurn(aTree(30, helper, said), { journal });

    expect(error).toBeUndefined();
    expect(saidWhenAsked.length).toBeGreaterThan(0);
    // Whoever is last is woken as what it said is in the log.
    for (const before of saidWhenAsked) expect(before).toContain('b0');
  });

  it('is shown to callbacks when all that is stored was gone through, also when it comes from the journal', async () => {
    const latest: unknown[] = [];
    const aTree = (wait: number, onAfter?: (latest: unknown) => void) => {
      const helper = new LlmAgent({ name: 'helper', model: new SlowLlm(90, () => undefined) });
      return new ParallelAgent({ name: 'root', subAgents: [aCaller(helper, onAfter), aSpeaker(wait)] });
    };
    const whole = await runTurn(aTree(5));
    const journal = whole.journal.cutAfter(4, 9);
    expect(journal.stepKeys).toContain('0/root.0/a.0/tools.0/0/helper.0/model.0');
    expect(journal.stepKeys).not.toContain('0/root.0/a.0/tools.0');

    await runTurn(
      aTree(30, (state) => latest.push(state)),
      { journal },
    );

    expect(latest).toEqual(['b1']);
  });
});
