import { type Event } from '@skein/contracts';
import { LlmAgent } from '../agent/llm-agent';
import { App } from '../app/app';
import { InMemoryRunner } from '../runner/in-memory-runner';
import { FunctionTool } from '../tool/function-tool';
import { calls, type FakeAnswer, FakeLlm, text } from '@skein/testing';
import { type BasePolicyEngine, type PolicyCheckResult, SecurityPlugin } from './security.plugin';

const USER = { userId: 'u', sessionId: 's' };

/** An agent whose one call a policy decides of, and what its tool did. */
function guarded(
  results: readonly PolicyCheckResult[],
  requireConfirmation = false,
  answers: FakeAnswer[] = [[calls({ name: 'pay', args: { amount: 5 } })], [text('Done.')], [text('So.')]],
) {
  const left = [...results];
  const asked: unknown[] = [];
  const policyEngine: BasePolicyEngine = {
    evaluate: async ({ tool, toolArgs }) => {
      asked.push([tool.name, toolArgs]);
      return left.shift() ?? { outcome: 'DENY', reason: 'It was asked too often.' };
    },
  };
  const paid: unknown[] = [];
  const pay = new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    requireConfirmation,
    execute: (args) => {
      paid.push(args);
      return { paid: true };
    },
  });
  const model = new FakeLlm(answers);
  const rootAgent = new LlmAgent({ name: 'clerk', model, tools: [pay] });
  const runner = new InMemoryRunner({
    app: new App({ name: 'app', rootAgent, plugins: [new SecurityPlugin({ policyEngine })] }),
  });
  return { runner, asked, paid, model };
}

async function send(runner: InMemoryRunner, parts: object[]): Promise<Event[]> {
  const events: Event[] = [];
  await runner.sessionService.createSession({ appName: 'app', ...USER }).catch(() => undefined);
  for await (const event of runner.runAsync({ ...USER, newMessage: { role: 'user', parts } }))
    events.push(event);
  return events;
}

function responsesOf(events: readonly Event[]): unknown[] {
  return events.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) =>
      functionResponse ? [functionResponse.response] : [],
    ),
  );
}

function questionOf(events: readonly Event[]): { id?: string | undefined } | undefined {
  const parts = events.flatMap(({ content }) => content?.parts ?? []);
  return parts.find(({ functionCall }) => functionCall?.name === 'adk_request_confirmation')?.functionCall;
}

async function answer(
  runner: InMemoryRunner,
  events: readonly Event[],
  confirmed: boolean,
): Promise<Event[]> {
  const id = questionOf(events)?.id;
  return send(runner, [
    { functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed } } },
  ]);
}

describe('SecurityPlugin', () => {
  it('lets a call run that its policy allows, and has one of its own that allows all', async () => {
    const { runner, asked, paid } = guarded([{ outcome: 'ALLOW' }]);

    await send(runner, [{ text: 'Pay.' }]);

    expect(asked).toEqual([['pay', { amount: 5 }]]);
    expect(paid).toEqual([{ amount: 5 }]);
    expect(new SecurityPlugin().name).toBe('security_plugin');
  });

  it.each([['DENY'], ['allow'], ['']])('refuses a call of which the policy says %j', async (outcome) => {
    const { runner, paid } = guarded([{ outcome, reason: 'No money.' }]);

    const events = await send(runner, [{ text: 'Pay.' }]);

    expect(responsesOf(events)).toEqual([{ error: expect.stringContaining('No money.') }]);
    expect(paid).toEqual([]);
  });

  it.each([[false], [true]])(
    'has a human asked once, also of a tool that asks itself (%s), and lets it run when he says yes',
    async (requireConfirmation) => {
      const { runner, asked, paid, model } = guarded([{ outcome: 'CONFIRM' }], requireConfirmation);
      const before = await send(runner, [{ text: 'Pay.' }]);

      expect(questionOf(before)).toMatchObject({ args: { originalFunctionCall: { name: 'pay' } } });
      expect(paid).toEqual([]);
      expect(model.requests).toHaveLength(1);

      const after = await answer(runner, before, true);

      expect(responsesOf(after)).toEqual([{ paid: true }]);
      expect(paid).toEqual([{ amount: 5 }]);
      expect(asked).toHaveLength(1);
    },
  );

  it('does not let it run when he says no', async () => {
    const { runner, paid } = guarded([{ outcome: 'CONFIRM' }, { outcome: 'ALLOW' }]);

    const after = await answer(runner, await send(runner, [{ text: 'Pay.' }]), false);

    expect(responsesOf(after)).toEqual([{ error: 'A human refused this tool call.' }]);
    expect(paid).toEqual([]);
  });

  it('is asked again of a call that its tool had confirmed', async () => {
    const { runner, asked, paid } = guarded([{ outcome: 'ALLOW' }, { outcome: 'DENY' }], true);

    const after = await answer(runner, await send(runner, [{ text: 'Pay.' }]), true);

    expect(asked).toHaveLength(2);
    expect(responsesOf(after)).toEqual([{ error: expect.stringContaining('refuses') }]);
    expect(paid).toEqual([]);
  });

  it.each([
    ['was answered', true],
    ['never was', false],
  ])(
    'is asked again of a later call with the id of one that a human had to allow, which %s',
    async (_how, isAnswered) => {
      const call = (amount: number) => calls({ id: 'call_1', name: 'pay', args: { amount } });
      const { runner, asked, paid } = guarded(
        [{ outcome: 'CONFIRM' }, { outcome: 'ALLOW' }, { outcome: 'DENY' }],
        true,
        [[call(500)], ...(isAnswered ? [[text('Done.')]] : []), [call(50)], [text('So.')]],
      );
      const first = await send(runner, [{ text: 'Pay 500.' }]);
      if (isAnswered) await answer(runner, first, true);

      const after = await answer(runner, await send(runner, [{ text: 'Pay 50.' }]), true);

      expect(asked).toEqual([500, 50, 50].map((amount) => ['pay', { amount }]));
      expect(responsesOf(after)).toEqual([{ error: expect.stringContaining('refuses') }]);
      expect(paid).toEqual(isAnswered ? [{ amount: 500 }] : []);
    },
  );
});
