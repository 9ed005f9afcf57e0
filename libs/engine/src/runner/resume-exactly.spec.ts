import {
  anEvent,
  aSession,
  calls,
  FakeLlm,
  inTime,
  partial,
  runTurn,
  says,
  text,
  type Turn,
} from '@skein/testing';
import { type BeforeToolCallback } from '../agent/callbacks';
import { CustomAgent } from '../agent/custom-agent';
import { LlmAgent } from '../agent/llm-agent';
import { SequentialAgent } from '../agent/sequential-agent';
import { BaseEventsSummarizer, type EventsSummary } from '../compaction/base-events-summarizer';
import { AgentTool } from '../tool/agent-tool';
import { FunctionTool } from '../tool/function-tool';

/** What was said, without the time at which a repeated step was done. */
function said({ session }: Turn): unknown[] {
  return session.events.map(({ timestamp: _timestamp, ...event }) => event);
}

describe('a model call of several answers (B17)', () => {
  const answers = [text('one'), partial(text('tw')), text('two'), {}];
  const aTree = () => {
    const model = new FakeLlm([answers, [text('three')]]);
    return { model, agent: new LlmAgent({ name: 'root', model }) };
  };

  it.each([0, 1, 2, 3, 4])('is whole after a crash that left %d units of it', async (units) => {
    const first = aTree();
    const whole = await runTurn(first.agent);
    expect(whole.journal.units).toHaveLength(4);
    const { agent, model } = aTree();

    const resumed = await runTurn(agent, { journal: whole.journal.cutAfterUnits(units) });

    expect(said(resumed)).toEqual(said(whole));
    // The call was still in flight after its first answer, and ended with the second.
    expect(model.requests).toHaveLength(units < 4 ? 1 : 0);
  });

  it('takes what was stored of a call that is repeated, whatever the model says now', async () => {
    const whole = await runTurn(aTree().agent);
    const other = new LlmAgent({ name: 'root', model: new FakeLlm([[text('uno'), text('dos')]]) });

    const resumed = await runTurn(other, { journal: whole.journal.cutAfterUnits(3) });

    expect(resumed.events).toMatchObject([
      { content: text('one').content },
      { content: text('dos').content },
    ]);
  });
});

describe('a call that was sent to its tool', () => {
  function aTree() {
    const ran: unknown[] = [];
    const beforeToolCallback = jest.fn<undefined, Parameters<BeforeToolCallback>>(({ args, context }) => {
      args.n = Number(args.n) + 1;
      context.state.set('looked', beforeToolCallback.mock.calls.length);
      return undefined;
    });
    const model = new FakeLlm([[calls({ id: 'c', name: 'count', args: { n: 1 } })], [text('done')]]);
    const count = new FunctionTool({
      name: 'count',
      description: 'Counts.',
      execute: ({ n }) => {
        ran.push(n);
        return n;
      },
    });
    return {
      ran,
      beforeToolCallback,
      agent: new LlmAgent({ name: 'root', model, tools: [count], beforeToolCallback }),
    };
  }

  it('has the arguments callbacks gave it, and they are not asked again (B27)', async () => {
    const whole = await runTurn(aTree().agent);
    const sent = whole.journal.units.findIndex((unit) => unit.some((piece) => 'kind' in piece));
    const { agent, ran, beforeToolCallback } = aTree();

    const resumed = await runTurn(agent, { journal: whole.journal.cutAfterUnits(sent + 1) });

    expect(beforeToolCallback).not.toHaveBeenCalled();
    expect(ran).toEqual([2]);
    expect(said(resumed)).toEqual(said(whole));
    expect(resumed.session.state).toEqual({ looked: 1 });
  });

  it('costs no record when no callback looks at it', async () => {
    const model = new FakeLlm([[calls({ name: 'count' })], [text('done')]]);
    const count = new FunctionTool({ name: 'count', description: 'Counts.', execute: () => 1 });

    const { journal } = await runTurn(new LlmAgent({ name: 'root', model, tools: [count] }));

    expect(journal.records).toEqual([]);
  });
});

describe('a summary that could not be written (B8)', () => {
  class Failing extends BaseEventsSummarizer {
    asked = 0;

    override async maybeSummarizeEvents(): Promise<EventsSummary | undefined> {
      this.asked += 1;
      throw new Error('Down.');
    }
  }

  it('is not asked for again after a crash', async () => {
    const summarizer = new Failing();
    const app = () => ({
      rootAgent: new LlmAgent({ name: 'root', model: new FakeLlm([[], [], [text('a long answer')]]) }),
      eventsCompactionConfig: {
        summarizer,
        compactionInterval: 99,
        overlapSize: 0,
        tokenThreshold: 1,
        eventRetentionSize: 1,
      },
    });
    const session = () =>
      aSession({
        events: inTime(says('user', 'x'.repeat(90)), says('root', 'a'), says('user', 'b'), says('root', 'c')),
      });
    const whole = await runTurn(app(), { session: session(), now: () => 1e7 });
    const { asked } = summarizer;
    expect(asked).toBe(1);

    for (const journal of whole.journal.cuts().slice(2))
      await runTurn(app(), { session: session(), journal, now: () => 1e7 });

    expect(summarizer.asked).toBe(1);
  });
});

describe('a model that a callback answered for', () => {
  it('is not counted after a crash either, when the answer said nothing (B21, B22)', async () => {
    const tree = () =>
      new SequentialAgent({
        name: 'row',
        subAgents: [
          new LlmAgent({ name: 'one', model: new FakeLlm([]), beforeModelCallback: () => ({}) }),
          new LlmAgent({ name: 'two', model: new FakeLlm([[text('two')]]) }),
        ],
      });
    const runConfig = { maxLlmCalls: 1 };
    const whole = await runTurn(tree(), { runConfig });

    for (const journal of whole.journal.cuts()) {
      const resumed = await runTurn(tree(), { runConfig, journal });

      expect(resumed.error).toBeUndefined();
      expect(said(resumed)).toEqual(said(whole));
    }
  });
});

describe('an agent that failed', () => {
  /** It is caught, and somebody else goes on. */
  function aTree(answer: FakeLlm) {
    const weak = new LlmAgent({ name: 'weak', model: answer });
    return new CustomAgent({
      name: 'careful',
      subAgents: [weak],
      async *run(context) {
        try {
          yield* weak.runAsync(context);
        } catch (error) {
          const parts = [{ text: `Without it: ${String(error)}` }];
          yield anEvent({ author: 'careful', content: { role: 'model', parts } });
          yield anEvent({ author: 'careful', content: { role: 'model', parts: [{ text: 'Done.' }] } });
        }
      },
    });
  }

  it('fails after a crash as it did before, once somebody went on from that', async () => {
    const whole = await runTurn(aTree(new FakeLlm([new TypeError('Down.')])));
    const [failed] = whole.journal.records;
    expect(failed).toMatchObject({ kind: 'failure', stepKey: '0/careful.0/weak.0' });

    for (const journal of whole.journal.cuts().slice(2)) {
      const model = new FakeLlm([[text('up again')]]);
      const resumed = await runTurn(aTree(model), { journal });

      expect(model.requests).toEqual([]);
      expect(said(resumed)).toEqual(said(whole));
    }
  });

  it('ends its run in one way, wherever between its last words the crash came (B23)', async () => {
    const tree = (second: FakeLlm) => {
      const broken = new FunctionTool({
        name: 'broken',
        description: 'Throws.',
        execute: () => {
          throw new Error('Broken.');
        },
      });
      return new LlmAgent({ name: 'root', model: second, tools: [broken], toolErrors: 'raise' });
    };
    const script = () => new FakeLlm([[calls({ id: 'c', name: 'broken' })], [text('never')]]);
    const whole = await runTurn(tree(script()));

    for (const journal of whole.journal.cuts().slice(0, -1)) {
      const resumed = await runTurn(tree(script()), { journal });

      expect(resumed.error).toMatchObject({ message: 'Broken.' });
      expect(said(resumed)).toEqual(said(whole));
    }
  });
});

describe('a call that failed its agent', () => {
  it('is not run again after a crash, also when callbacks had looked at it (B27, B28)', async () => {
    const ran: string[] = [];
    const bad = new FunctionTool({
      name: 'bad',
      description: '',
      placement: 'inline',
      execute: () => {
        ran.push('bad');
        throw new Error('Broken.');
      },
    });
    const aTree = () => {
      const agent = new LlmAgent({
        name: 'a',
        model: new FakeLlm([[calls({ id: 'c', name: 'bad' })]]),
        tools: [bad],
        beforeToolCallback: () => undefined,
        toolErrors: 'raise',
      });
      return new CustomAgent({
        name: 'root',
        subAgents: [agent],
        run: async function* (context) {
          try {
            yield* agent.runAsync(context);
          } catch {
            yield anEvent({ author: 'root', content: text('caught').content });
          }
          yield anEvent({ author: 'root', content: text('end').content });
        },
      });
    };
    const { journal } = await runTurn(aTree());

    const { error } = await runTurn(aTree(), { journal: journal.cutAfter(journal.staged.length - 1, 9) });

    expect([ran, error]).toEqual([['bad'], undefined]);
  });
});

describe('an agent that runs as a tool', () => {
  it('sees the state it saw then, wherever the crash came (B36)', async () => {
    const requests: unknown[] = [];
    const tree = () => {
      const expert = new LlmAgent({
        name: 'expert',
        model: new FakeLlm([[text('42')]]),
        instruction: 'For {who?}',
        beforeModelCallback: ({ request }) => void requests.push(request.config.systemInstruction),
      });
      const model = new FakeLlm([
        [calls({ id: 'c', name: 'expert', args: { request: '?' } })],
        [text('It is 42.')],
      ]);
      const beforeToolCallback: BeforeToolCallback = ({ context }) => {
        context.state.set('who', 'Ada');
        return undefined;
      };
      return new LlmAgent({
        name: 'root',
        model,
        tools: [new AgentTool({ agent: expert })],
        beforeToolCallback,
      });
    };
    const whole = await runTurn(tree());

    for (const journal of whole.journal.cuts()) {
      const resumed = await runTurn(tree(), { journal });

      expect(said(resumed)).toEqual(said(whole));
    }
    expect(new Set(requests).size).toBe(1);
  });
});
