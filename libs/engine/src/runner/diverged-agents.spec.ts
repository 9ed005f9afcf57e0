import { anEvent, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { CustomAgent } from '../agent/custom-agent';
import { LlmAgent } from '../agent/llm-agent';
import { App } from '../app/app';
import { AgentTool } from '../tool/agent-tool';
import { type BaseTool } from '../tool/base-tool';
import { FunctionTool } from '../tool/function-tool';

const REPLAY_DIVERGED = 'REPLAY_DIVERGED';

describe('a run whose agents are others after a deploy', () => {
  const caller = (...tools: BaseTool[]) => {
    const asks = [calls({ id: 'c1', name: 'helper', args: { request: 'x' } })];
    return new LlmAgent({ name: 'root', model: new FakeLlm([asks, [text('out')]]), tools });
  };
  const helper = new CustomAgent({
    name: 'helper',
    async *run(context) {
      await context.step('charge', () => 1);
      yield anEvent({ author: 'helper', content: { role: 'model', parts: [{ text: 'charged' }] } });
    },
  });

  it.each(['fail', 'continue'] as const)(
    'does not run a plain tool in the place of an agent that began: %s',
    async (onDivergence) => {
      const before = await runTurn(caller(new AgentTool({ agent: helper })));
      const ran: string[] = [];
      const plain = new FunctionTool({ name: 'helper', description: '', execute: () => ran.push('helper') });
      const app = new App({ name: 'app', rootAgent: caller(plain), onDivergence });

      // The message, the call, and the first of the agent's own.
      const { error, session } = await runTurn(app, { journal: before.journal.cutAfter(2, 2) });

      const sentence = expect.stringContaining("the tool 'helper', which is no agent") as string;
      const isEnd = onDivergence === 'fail';
      expect(error).toEqual(isEnd ? expect.objectContaining({ message: sentence }) : undefined);
      const [answer] = session.events.flatMap(({ content }) => content?.parts ?? []).slice(2);
      expect(answer?.functionResponse).toMatchObject({ id: 'c1', response: { error: expect.any(String) } });
      expect(ran).toEqual([]);
      expect(session.events.at(-1)).toMatchObject(
        isEnd ? { errorCode: REPLAY_DIVERGED } : { content: { parts: [{ text: 'out' }] } },
      );
    },
  );

  it('does not take an agent away that began', async () => {
    const before = await runTurn(caller(new AgentTool({ agent: helper })));

    const { error } = await runTurn(caller(), { journal: before.journal.cutAfter(2, 2) });

    expect(error).toMatchObject({ code: REPLAY_DIVERGED });
  });

  const handingTo = (subAgents: BaseAgent[]) => {
    const handOver = [calls({ id: 'c1', name: 'transfer_to_agent', args: { agentName: 'sales' } })];
    return new LlmAgent({ name: 'root', model: new FakeLlm([handOver, [text('mine')]]), subAgents });
  };
  const says = (name: string) => new LlmAgent({ name, model: new FakeLlm([[text(`I am ${name}`)]]) });

  it('does not hand over to an agent that is gone', async () => {
    const before = await runTurn(handingTo([says('sales')]));
    // The message, the call and the hand-over.
    const cut = before.journal.cutAfter(3);

    const { error } = await runTurn(handingTo([says('support')]), { journal: cut });

    const message = expect.stringContaining("a hand-over to 'sales'") as string;
    expect(error).toMatchObject({ code: REPLAY_DIVERGED, message });
  });

  it('goes on without the agent that is gone, where the app says so', async () => {
    const before = await runTurn(handingTo([says('sales')]));
    const rootAgent = handingTo([says('support')]);
    const app = new App({ name: 'app', rootAgent, onDivergence: 'continue' });

    const { error, events } = await runTurn(app, { journal: before.journal.cutAfter(3) });

    expect(error).toBeUndefined();
    expect(events.at(-1)?.content?.parts).toEqual([{ text: 'mine' }]);
  });

  it('fails as it did where an author named an agent that never was', async () => {
    const wrong = () => {
      const execute = (_args: unknown, context: { actions: { transferToAgent?: string | undefined } }) => {
        context.actions.transferToAgent = 'nobody';
      };
      const tool = new FunctionTool({ name: 'go', description: '', placement: 'inline', execute });
      return new LlmAgent({
        name: 'root',
        model: new FakeLlm([[calls({ id: 'c1', name: 'go' })]]),
        tools: [tool],
      });
    };
    const before = await runTurn(wrong());
    const { error } = await runTurn(wrong(), { journal: before.journal.cutAfter(3) });

    expect(before.error).toMatchObject({ code: 'agent.transfer' });
    expect(error).toMatchObject({ code: 'agent.transfer' });
  });
});
