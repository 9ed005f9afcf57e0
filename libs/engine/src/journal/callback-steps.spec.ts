import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type Context } from '../agent/context';
import { LlmAgent } from '../agent/llm-agent';
import { AgentTool } from '../tool/agent-tool';

describe('steps of callbacks, after a crash,', () => {
  it('of a callback that says nothing are not missed after a crash', async () => {
    const aTree = () =>
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[text('done')]]),
        beforeAgentCallback: (context) => void context.now(),
      });
    const { journal } = await runTurn(aTree());

    for (const cut of journal.cuts()) {
      const { error } = await runTurn(aTree(), { journal: cut });
      expect(error).toBeUndefined();
    }
    expect(journal.stepKeys).toContain('0/root.0/before.0/now.0');
  });

  it('may be asked for at the same time, and a crash keep any of them', async () => {
    const aTree = () =>
      new LlmAgent({
        name: 'root',
        model: new FakeLlm([[text('done')]]),
        beforeAgentCallback: async (context) => {
          await Promise.all(['a', 'b'].map((name) => context.step(name, () => name)));
          return undefined;
        },
      });
    const { journal } = await runTurn(aTree());
    const onlyB = journal.cutAfter(1);
    for (const record of journal.records) if (record.stepKey.endsWith('step:b.0')) onlyB.stageRecord(record);
    expect(onlyB.stepKeys).toEqual(['0/user.0', '0/root.0/before.0/step:b.0']);

    const { error } = await runTurn(aTree(), { journal: onlyB });

    expect(error).toBeUndefined();
  });

  it.each(['beforeToolCallback', 'afterToolCallback'] as const)(
    'of a %s are not taken for those of the agent that runs as the tool',
    async (hook) => {
      const aTree = () => {
        const helper = new LlmAgent({ name: 'helper', model: new FakeLlm([[text('in')]]) });
        const asks = calls({ id: 'c1', name: 'helper', args: { request: 'x' } });
        return new LlmAgent({
          name: 'root',
          model: new FakeLlm([[asks], [text('out')]]),
          tools: [new AgentTool({ agent: helper })],
          [hook]: ({ context }: { context: Context }) =>
            context.step('note', () => context.now() && undefined),
        });
      };
      const { journal, error } = await runTurn(aTree());
      expect(error).toBeUndefined();

      for (const cut of journal.cuts()) {
        const resumed = await runTurn(aTree(), { journal: cut });
        expect(resumed.error).toBeUndefined();
      }
    },
  );
});
