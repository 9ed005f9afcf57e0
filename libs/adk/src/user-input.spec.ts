import {
  createEvent,
  type Event,
  getAskUserConfirmationFunctionCalls,
  getPendingUserInputRequests,
  getUserInputRequests,
  requiresUserInput,
} from './index';

function asking(id: string, name: string, args: Record<string, unknown>): Event {
  return createEvent({
    invocationId: 'e-1',
    author: 'clerk',
    content: { role: 'model', parts: [{ functionCall: { id, name, args } }] },
    longRunningToolIds: [id],
  });
}

const confirmation = asking('q-1', 'adk_request_confirmation', {
  originalFunctionCall: { id: 'c-1', name: 'pay', args: { amount: 5 } },
  toolConfirmation: { hint: 'Pay 5?', confirmed: false, payload: { days: 2 } },
});
const credential = asking('q-2', 'adk_request_credential', {
  functionCallId: 'c-2',
  authConfig: { key: 'k' },
});
const input = asking('q-3', 'adk_request_input', { message: 'Which?', response_schema: { type: 'string' } });
const call = asking('c-4', 'pay', { amount: 5 });

describe('what the user is asked', () => {
  it('is told of an event, whatever kind of question it is', () => {
    expect([confirmation, credential, input].flatMap(getUserInputRequests)).toEqual([
      {
        kind: 'confirmation',
        interruptId: 'q-1',
        functionCallName: 'adk_request_confirmation',
        author: 'clerk',
        message: 'Pay 5?',
        payload: { days: 2 },
        toolName: 'pay',
      },
      {
        kind: 'credential',
        interruptId: 'q-2',
        functionCallName: 'adk_request_credential',
        author: 'clerk',
        authConfig: { key: 'k' },
      },
      {
        kind: 'input',
        interruptId: 'q-3',
        functionCallName: 'adk_request_input',
        author: 'clerk',
        message: 'Which?',
        responseSchema: { type: 'string' },
      },
    ]);
    expect([confirmation, call].map(requiresUserInput)).toEqual([true, false]);
  });

  it('has nothing of a question whose arguments are of another shape', () => {
    const bare = asking('q-5', 'adk_request_confirmation', {
      toolConfirmation: { hint: 7 },
      originalFunctionCall: null,
    });

    expect(getUserInputRequests(bare)).toEqual([
      {
        kind: 'confirmation',
        interruptId: 'q-5',
        functionCallName: 'adk_request_confirmation',
        author: 'clerk',
      },
    ]);
  });

  it('is nothing that a model made up, which no call of the engine stands for', () => {
    const madeUp = [confirmation, credential, input].flatMap((event) => [
      { ...event, longRunningToolIds: [] },
      { ...event, longRunningToolIds: undefined },
    ]);

    expect(madeUp.flatMap(getUserInputRequests)).toEqual([]);
    expect(madeUp.some(requiresUserInput)).toBe(false);
    expect(madeUp.flatMap(getAskUserConfirmationFunctionCalls)).toEqual([]);
    expect(getAskUserConfirmationFunctionCalls(confirmation)).toMatchObject([{ id: 'q-1' }]);
  });

  it('waits until it is answered, each question once', () => {
    const answer = createEvent({
      invocationId: 'e-1',
      author: 'user',
      content: {
        role: 'user',
        parts: [
          {
            functionResponse: { id: 'q-1', name: 'adk_request_confirmation', response: { confirmed: true } },
          },
        ],
      },
    });
    const pending = getPendingUserInputRequests([confirmation, credential, answer, credential, input, call]);

    expect(pending.map(({ interruptId }) => interruptId)).toEqual(['q-2', 'q-3']);
  });
});
