import { createEvent, type Event } from '@skein/adk';
import { expect as importedExpect } from '@jest/globals';
import { type AgentRun, agentMatchers, calls, fails, says } from '../index';

expect.extend(agentMatchers);

function anEvent(params: Partial<Event>): Event {
  return createEvent({ id: 'e', invocationId: 'i', author: 'desk', timestamp: 1, ...params });
}

function actions(done: Partial<Event['actions']>): Event {
  return anEvent({ actions: { ...anEvent({}).actions, ...done } });
}

const call = anEvent(calls('book', { nights: 2, room: 'blue' }));
const response = anEvent({
  content: { role: 'user', parts: [{ functionResponse: { name: 'book', response: { booked: true } } }] },
});
const delta = actions({ stateDelta: { rooms: 1 }, artifactDelta: { 'bill.pdf': 1 } });
const transfer = actions({ transferToAgent: 'cashier' });
const question = anEvent(
  calls('adk_request_confirmation', { originalFunctionCall: { name: 'pay' }, toolConfirmation: {} }),
);
const text = anEvent(says('The blue room is yours.'));
const refusal = anEvent(fails('SAFETY', 'No.'));

/** What an expectation throws. */
function failureOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it passed');
}

describe('the matchers', () => {
  const events = [call, response, delta, transfer, question, text];

  it('find what is in the events', () => {
    expect(events).toHaveToolCall('book');
    expect(events).toHaveToolCall('book', { room: 'blue', nights: expect.any(Number) });
    expect(events).toHaveToolResponse('book');
    expect(events).toHaveToolResponse('book', { booked: true });
    expect(events).toHaveFinalText('The blue room is yours.');
    expect(events).toHaveFinalText(/blue/g);
    expect(events).toHaveFinalText(expect.stringContaining('room'));
    expect(events).toHaveStateDelta({ rooms: 1 });
    expect(events).toHaveSavedArtifact('bill.pdf');
    expect(events).toHaveSavedArtifact('bill.pdf', 1);
    expect(events).toHaveTransferredTo('cashier');
    expect(events).toHaveAskedConfirmation();
    expect(events).toHaveAskedConfirmation('pay');
    expect(refusal).toHaveErrorCode('SAFETY');
  });

  it('do not find what is not', () => {
    expect(events).not.toHaveToolCall('pay');
    expect(events).not.toHaveToolCall('book', { nights: 2 });
    expect(events).not.toHaveToolResponse('book', { booked: false });
    expect(events).not.toHaveFinalText('The blue room');
    expect(events).not.toHaveFinalText(/red/);
    expect(events).not.toHaveStateDelta({ rooms: 2 });
    expect(events).not.toHaveStateDelta({ toString: expect.anything() });
    expect(events).not.toHaveSavedArtifact('bill.pdf', 0);
    expect(events).not.toHaveTransferredTo('desk');
    expect(events).not.toHaveAskedConfirmation('book');
    expect([call]).not.toHaveAskedConfirmation();
    expect(events).not.toHaveErrorCode('SAFETY');
  });

  it.each([
    ['toHaveToolCall', () => expect(events).toHaveToolCall('book', { nights: 3 })],
    ['toHaveToolResponse', () => expect(events).toHaveToolResponse('pay')],
    ['toHaveFinalText', () => expect(events).toHaveFinalText('Hello.')],
    ['toHaveStateDelta', () => expect(events).toHaveStateDelta({ rooms: 7 })],
    ['toHaveSavedArtifact', () => expect(events).toHaveSavedArtifact('bill.pdf', 3)],
    ['toHaveTransferredTo', () => expect(events).toHaveTransferredTo('porter')],
    ['toHaveAskedConfirmation', () => expect(events).toHaveAskedConfirmation('book')],
    ['toHaveErrorCode', () => expect(events).toHaveErrorCode('MAX_TOKENS')],
  ])('%s says what was expected, what was found, and the events', (_name, expectation) => {
    expect(failureOf(expectation)).toMatch(/^Expected .+\.\nFound: .+\n\nThe events:\n {2}desk: book\(/);
  });

  it('show every kind of event in their message', () => {
    expect(failureOf(() => expect([...events, refusal]).toHaveToolCall('pay', { amount: 1 }))).toBe(
      `Expected a call of pay({"amount":1}).
Found: book({"nights":2,"room":"blue"}), adk_request_confirmation({"originalFunctionCall":{"name":"pay"},"toolConfirmation":{}})

The events:
  desk: book({"nights":2,"room":"blue"})
  desk: book → {"booked":true}
  desk: state {"rooms":1}, artifacts {"bill.pdf":1}
  desk: transfer to cashier
  desk: adk_request_confirmation({"originalFunctionCall":{"name":"pay"},"toolConfirmation":{}})
  desk: "The blue room is yours."
  desk: error SAFETY: No.`,
    );
  });

  it('say the contrary when it was not to be found', () => {
    expect(failureOf(() => expect(text).not.toHaveFinalText(/blue/))).toBe(
      'Expected not to find the final text /blue/.\nFound: "The blue room is yours."\n\nThe events:\n' +
        '  desk: "The blue room is yours."',
    );
    expect(failureOf(() => expect([]).toHaveToolCall('book'))).toBe(
      'Expected a call of book.\nFound: none\n\nThe events:\n  (no event)',
    );
  });

  it('refuse what is neither a run nor events', () => {
    for (const wrong of [undefined, 'text', [1], { events: [{}] }]) {
      expect(() => expect(wrong as unknown as Event).toHaveToolCall('f')).toThrow('was given neither');
    }
  });

  it('are there with the imported expect, and with resolves', async () => {
    const run: Pick<AgentRun, 'events'> = { events: [text] };

    importedExpect(text).toHaveFinalText(/blue/);
    await importedExpect(Promise.resolve(text)).resolves.toHaveFinalText(/blue/);
    await expect(Promise.resolve(run as AgentRun)).resolves.toHaveFinalText(/blue/);
  });
});

/** Compiles only while a matcher is for runs and events alone. */
export const isForRunsAlone: [jest.Matchers<void, string>['toHaveToolCall']] extends [never] ? true : false =
  true;
