import { aPlugin, calls, FakeLlm, partial, runTurn, text } from '@skein/testing';
import { type InvocationContext } from '../agent/invocation-context';
import { LlmAgent } from '../agent/llm-agent';
import { FunctionTool } from '../tool/function-tool';

interface AboutRun {
  readonly invocationContext: InvocationContext;
}

const HOOKS = ['onUserMessageCallback', 'beforeRunCallback', 'onEventCallback', 'afterRunCallback'] as const;

/** An app with a plugin that notes, per moment of the run, what it drew there. */
function anApp(hooks: readonly (typeof HOOKS)[number][], drawn: unknown[] = []) {
  const draw = async ({ invocationContext }: AboutRun): Promise<undefined> => {
    drawn.push(
      await invocationContext.step('draw', () => invocationContext.uuid()),
      invocationContext.uuid(),
    );
  };
  const tool = new FunctionTool({ name: 't', description: '', execute: () => 1 });
  const model = new FakeLlm([[calls({ id: 'c', name: 't' })], [partial(text('a')), text('ab')]]);
  const plugin = aPlugin(Object.fromEntries(hooks.map((hook) => [hook, draw])));
  const rootAgent = new LlmAgent({ name: 'root', model, tools: [tool] });
  return { rootAgent, plugins: [plugin] };
}

describe('what a plugin draws from the context of the run', () => {
  it.each(HOOKS)('in %s is not missed after a crash', async (hook) => {
    const { journal, error } = await runTurn(anApp([hook]));
    expect(error).toBeUndefined();
    expect(journal.records.filter(({ kind }) => kind === 'step')).not.toHaveLength(0);

    for (const cut of journal.cuts()) {
      const resumed = await runTurn(anApp([hook]), { journal: cut });
      expect(resumed.error).toBeUndefined();
    }
  });

  it('is its own for each event, whichever were stored before a crash', async () => {
    const first: unknown[] = [];
    const { journal } = await runTurn(anApp(['onEventCallback'], first));
    expect(new Set(first).size).toBe(first.length);

    const then: unknown[] = [];
    // The message, the call, and what was drawn for the call.
    await runTurn(anApp(['onEventCallback'], then), { journal: journal.cutAfter(2, 2) });

    expect(then).not.toHaveLength(0);
    expect(then.filter((value) => first.includes(value))).toEqual([]);
  });
});
