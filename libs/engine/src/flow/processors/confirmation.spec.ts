import { type Content, type Event, type FunctionResponse } from '@skein/contracts';
import { anEvent, calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { z } from 'zod';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { getFunctionCalls, getFunctionResponses } from '../../event/function-parts';
import { FunctionTool, type FunctionToolParams } from '../../tool/function-tool';
import { shownAnswers, requestIdsOf } from '../../../test/confirmations';

const REQUEST = 'adk_request_confirmation';
const ASKED = { error: 'This tool call requires confirmation, please approve or reject.' };

type Execute = (args: { amount: number }, context: { toolConfirmation?: unknown }) => unknown;

/** A tool that pays, once a human allowed it. */
function aPayment(execute: Execute, options: Partial<FunctionToolParams<typeof amount>> = {}) {
  return new FunctionTool({
    name: 'pay',
    description: 'Pays.',
    parameters: amount,
    requireConfirmation: true,
    execute,
    ...options,
  });
}

const amount = z.object({ amount: z.number() });
const pay = (id: string, value: number) => ({ id, name: 'pay', args: { amount: value } });

function anAgent(model: FakeLlm, execute: Execute, config: Partial<LlmAgentConfig> = {}) {
  return new LlmAgent({ name: 'root', model, tools: [aPayment(execute)], ...config });
}

function answering(
  ...answers: readonly (readonly [id: string, response: Record<string, unknown>])[]
): Content {
  return {
    role: 'user',
    parts: answers.map(([id, response]) => ({ functionResponse: { id, name: REQUEST, response } })),
  };
}

/** The next segment of the same invocation: the user answers. */
function answer(
  agent: LlmAgent,
  { session, journal }: Turn,
  said: Content | string,
  segment = 1,
): Promise<Turn> {
  return runTurn(agent, { session, journal, said, segment });
}

function kindsOf(events: readonly Event[]): string[] {
  return events.map((event) => {
    const [call] = getFunctionCalls(event);
    const [response] = getFunctionResponses(event);
    return call?.name ?? (response ? `${response.name} answered` : (event.content?.parts?.[0]?.text ?? ''));
  });
}

function responsesOf({ events }: Turn): FunctionResponse[] {
  return events.flatMap(getFunctionResponses);
}

describe('a call that a human has to allow', () => {
  it('is asked about before its response, and the model is not asked meanwhile (B20, B33)', async () => {
    const execute = jest.fn();
    const model = new FakeLlm([[calls(pay('c1', 5))], [text('done')]]);

    const { events } = await runTurn(anAgent(model, execute));

    expect(kindsOf(events)).toEqual(['pay', REQUEST, 'pay answered']);
    expect(execute).not.toHaveBeenCalled();
    expect(model.requests).toHaveLength(1);
    expect(events[2]).toMatchObject({
      content: { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'pay', response: ASKED } }] },
      actions: { skipSummarization: true, requestedToolConfirmations: { c1: { confirmed: false } } },
    });
  });

  it('is shown to the human with its arguments and what is expected of him, as a long-running call (B33)', async () => {
    const model = new FakeLlm([[calls(pay('c1', 5))]]);

    const { events } = await runTurn(anAgent(model, jest.fn()));

    const [request] = getFunctionCalls(events[1] ?? {});
    expect(events[1]).toMatchObject({ content: { role: 'model' }, longRunningToolIds: [request?.id] });
    expect(request?.args).toEqual({
      originalFunctionCall: { name: 'pay', id: 'c1', args: { amount: 5 } },
      toolConfirmation: {
        hint:
          'Please approve or reject the tool call pay() by responding with a FunctionResponse with an expected ' +
          'ToolConfirmation payload.',
        confirmed: false,
      },
    });
  });

  it('is not asked about when its arguments are refused: those checks come first (B32, B33)', async () => {
    const model = new FakeLlm([[calls({ id: 'c1', name: 'pay', args: {} })], [text('done')]]);

    const { events } = await runTurn(anAgent(model, jest.fn()));

    expect(kindsOf(events)).toEqual(['pay', 'pay answered', 'done']);
  });

  it('is asked about only when the function says so of its arguments (B33)', async () => {
    const execute = jest.fn(() => 'paid');
    const tool = aPayment(execute, { requireConfirmation: ({ amount: value }) => value > 10 });
    const model = new FakeLlm([[calls(pay('c1', 5), pay('c2', 50))], [text('done')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [tool] }));

    expect(requestIdsOf(events)).toHaveLength(1);
    expect(responsesOf({ events } as Turn)).toMatchObject([
      { id: 'c1', response: { result: 'paid' } },
      { id: 'c2', response: ASKED },
    ]);
  });
});

describe('what the human answers', () => {
  async function asked(execute: Execute = () => 'paid') {
    const ran = jest.fn(execute);
    const model = new FakeLlm([[calls(pay('c1', 5))], [text('done')], [text('done again')]]);
    const agent = anAgent(model, ran);
    const first = await runTurn(agent);
    const [id = ''] = requestIdsOf(first.events);
    return { agent, model, first, id, ran };
  }

  it('yes: the call runs under its own id and with its own arguments, before the model goes on (B33)', async () => {
    const { agent, model, first, id, ran } = await asked();

    const turn = await answer(agent, first, answering([id, { confirmed: true }]));

    expect(kindsOf(turn.events)).toEqual(['pay answered', 'done']);
    expect(responsesOf(turn)).toEqual([{ id: 'c1', name: 'pay', response: { result: 'paid' } }]);
    expect(ran.mock.calls).toEqual([[{ amount: 5 }, expect.anything()]]);
    expect(shownAnswers(model.requests[1], 'c1')).toEqual([{ result: 'paid' }]);
    expect(turn.events.every(({ invocationId }) => invocationId === first.events[0]?.invocationId)).toBe(
      true,
    );
  });

  it('no: the call is not run, and the model reads that (B33)', async () => {
    const { agent, first, id, ran } = await asked();

    const turn = await answer(agent, first, answering([id, { confirmed: false }]));

    expect(responsesOf(turn)).toMatchObject([{ response: { error: 'This tool call is rejected.' } }]);
    expect(ran).not.toHaveBeenCalled();
  });

  it('a payload: the tool reads it (B33)', async () => {
    const { agent, first, id } = await asked((_args, { toolConfirmation }) => ({ toolConfirmation }));

    const turn = await answer(agent, first, answering([id, { confirmed: true, payload: { limit: 3 } }]));

    expect(responsesOf(turn)).toMatchObject([
      { response: { toolConfirmation: { confirmed: true, payload: { limit: 3 } } } },
    ]);
  });

  it('JSON text below `response` reads as the object itself (B33)', async () => {
    const { agent, first, id, ran } = await asked();

    await answer(agent, first, answering([id, { response: '{"confirmed": true}' }]));

    expect(ran).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['nothing', {}],
    ['a word for yes', { confirmed: 'yes' }],
    ['a field nobody asked for', { confirmed: true, amount: 1 }],
    ['text that is no JSON', { response: 'yes' }],
    ['JSON that is no object', { response: 'true' }],
    ['JSON with something beside it', { response: '{"confirmed": true}', note: 'x' }],
  ])('%s is a no (B33, B66)', async (_what, response) => {
    const { agent, first, id, ran } = await asked();

    const turn = await answer(agent, first, answering([id, response]));

    expect(ran).not.toHaveBeenCalled();
    expect(responsesOf(turn)).toMatchObject([{ response: { error: 'This tool call is rejected.' } }]);
  });

  it('cannot change what he was asked about: the stored question counts (B33)', async () => {
    const { agent, first, id, ran } = await asked();
    const forged = { name: 'pay', id: 'c1', args: { amount: 1_000_000 } };

    await answer(
      agent,
      first,
      answering([id, { confirmed: true, payload: { originalFunctionCall: forged } }]),
    );

    expect(ran).toHaveBeenCalledWith({ amount: 5 }, expect.anything());
  });

  it('counts once: an answer sent again does not run the call again (B33)', async () => {
    const { agent, first, id, ran } = await asked();
    const second = await answer(agent, first, answering([id, { confirmed: true }]));

    const third = await answer(agent, second, answering([id, { confirmed: true }]), 2);

    expect(ran).toHaveBeenCalledTimes(1);
    expect(kindsOf(third.events)).toEqual(['done again']);
  });

  it('counts only while it is the last thing he said (B33)', async () => {
    const { agent, first, id, ran } = await asked();
    const { session, journal } = first;
    session.events.push(anEvent({ author: 'user', content: answering([id, { confirmed: true }]) }));

    const turn = await runTurn(agent, { session, journal, said: 'never mind', segment: 1 });

    expect(ran).not.toHaveBeenCalled();
    expect(kindsOf(turn.events)).toEqual(['done']);
  });

  it('to two calls in one message: both run at once, in one response (B26, B33)', async () => {
    const ran = jest.fn(({ amount: value }: { amount: number }) => value);
    const model = new FakeLlm([[calls(pay('c1', 1), pay('c2', 2))], [text('done')]]);
    const agent = anAgent(model, ran);
    const first = await runTurn(agent);
    const [one = '', two = ''] = requestIdsOf(first.events);

    const turn = await answer(
      agent,
      first,
      answering([two, { confirmed: true }], [one, { confirmed: false }]),
    );

    expect(kindsOf(turn.events)).toEqual(['pay answered', 'done']);
    expect(responsesOf(turn)).toEqual([
      { id: 'c2', name: 'pay', response: { result: 2 } },
      { id: 'c1', name: 'pay', response: { error: 'This tool call is rejected.' } },
    ]);
  });

  it('is asked for in the order of the calls, whatever their ids (B26, B33)', async () => {
    const model = new FakeLlm([[calls(pay('z', 1), pay('a', 2), pay('m', 3))]]);

    const { events } = await runTurn(anAgent(model, () => 1));

    const asked = events.flatMap(getFunctionCalls).filter(({ name }) => name === REQUEST);
    expect(asked.map(({ args }) => (args?.originalFunctionCall as { id: string }).id)).toEqual([
      'z',
      'a',
      'm',
    ]);
  });

  it('to two calls in two messages: each runs with its own answer, the model reads the latest of both (B7, B33)', async () => {
    const ran = jest.fn(({ amount: value }: { amount: number }) => value);
    const model = new FakeLlm([[calls(pay('c1', 1), pay('c2', 2))], [text('one')], [text('both')]]);
    const agent = anAgent(model, ran);
    const first = await runTurn(agent);
    const [one = '', two = ''] = requestIdsOf(first.events);

    const second = await answer(agent, first, answering([one, { confirmed: true }]));
    const third = await answer(agent, second, answering([two, { confirmed: true }]), 2);

    expect([kindsOf(second.events), kindsOf(third.events)]).toEqual([
      ['pay answered', 'one'],
      ['pay answered', 'both'],
    ]);
    expect(ran.mock.calls.map(([args]) => args)).toEqual([{ amount: 1 }, { amount: 2 }]);
    expect([shownAnswers(model.requests[1], 'c2'), shownAnswers(model.requests[2], 'c1')]).toEqual([
      [ASKED],
      [{ result: 1 }],
    ]);
    expect(shownAnswers(model.requests[2], 'c2')).toEqual([{ result: 2 }]);
  });

  it('is heard by the agent that asked, below the root (B33)', async () => {
    const ran = jest.fn(() => 'paid');
    const child = new LlmAgent({
      name: 'child',
      model: new FakeLlm([[calls(pay('c1', 5))], [text('paid it')]]),
      tools: [aPayment(ran)],
    });
    const model = new FakeLlm([
      [calls({ id: 't', name: 'transfer_to_agent', args: { agentName: 'child' } })],
    ]);
    const root = new LlmAgent({ name: 'root', model, subAgents: [child] });
    const first = await runTurn(root);

    const turn = await answer(
      root,
      first,
      answering([requestIdsOf(first.events)[0] ?? '', { confirmed: true }]),
    );

    expect(kindsOf(turn.events)).toEqual(['pay answered', 'paid it']);
    expect(ran).toHaveBeenCalledTimes(1);
  });
});

describe('a tool that asks a human itself', () => {
  const tool = (ran: jest.Mock) =>
    new FunctionTool({
      name: 'pay',
      description: 'Pays.',
      execute: (_args, context) => {
        ran(context.toolConfirmation);
        if (context.toolConfirmation) return { paid: context.toolConfirmation.payload };
        context.requestConfirmation({ hint: 'How much?', payload: { amount: 0 } });
        return { status: 'asked' };
      },
    });

  it('does not keep the model from putting that into words (B34)', async () => {
    const model = new FakeLlm([[calls(pay('c1', 5))], [text('I asked.')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [tool(jest.fn())] }));

    expect(kindsOf(events)).toEqual(['pay', REQUEST, 'pay answered', 'I asked.']);
    expect(events[2]?.actions.skipSummarization).toBeUndefined();
    expect(getFunctionCalls(events[1] ?? {})[0]?.args).toMatchObject({
      toolConfirmation: { hint: 'How much?', confirmed: false, payload: { amount: 0 } },
    });
  });

  it('runs again with what he said (B34)', async () => {
    const ran = jest.fn();
    const model = new FakeLlm([[calls(pay('c1', 5))], [text('I asked.')], [text('paid')]]);
    const agent = new LlmAgent({ name: 'root', model, tools: [tool(ran)] });
    const first = await runTurn(agent);
    const said = answering([
      requestIdsOf(first.events)[0] ?? '',
      { confirmed: true, payload: { amount: 7 } },
    ]);

    const turn = await answer(agent, first, said);

    expect(kindsOf(turn.events)).toEqual(['pay answered', 'paid']);
    expect(responsesOf(turn)).toMatchObject([{ id: 'c1', response: { paid: { amount: 7 } } }]);
    expect(ran).toHaveBeenCalledTimes(2);
  });
});
