import { type ToolPolicy } from '@skein/contracts';
import { callMessageId } from './call-message-id';

const dispatchId = 'd-1';
const plain: ToolPolicy = { timeoutMs: 1_000, maxAttempts: 3, sideEffect: 'idempotent' };
const call = {
  ...{ dispatchId, stepKey: 'k', index: 0, callId: 'c', agentName: 'a', tool: 'put', pool: 'default' },
  args: {},
  policy: plain,
};
const ticket = { dispatchId, attempt: 1, deadlineMs: 900, hmac: 'h' };
const left = { ...call, policy: { ...plain, aheadDeadlineMs: 700 } };

describe('the id of a call’s message', () => {
  it('is of the call and its attempt, and says why a later one is another', () => {
    expect(callMessageId({ call, ticket })).toBe('d-1.1');
    expect(callMessageId({ call, ticket: { ...ticket, attempt: 2 }, returned: 3 })).toBe('d-1.2.returned.3');
    expect(callMessageId({ call, ticket }, 55)).toBe('d-1.1.again.55');
    expect(callMessageId({ call, ticket }, undefined, true)).toBe('d-1.1.ahead.900');
  });

  it('is that of the message that left while the call was stored, for every later one of that attempt', () => {
    expect(callMessageId({ call: left, ticket })).toBe('d-1.1.ahead.700');
    expect(callMessageId({ call: left, ticket: { ...ticket, attempt: 2 } })).toBe('d-1.2');
    expect(callMessageId({ call: left, ticket }, 55)).toBe('d-1.1.again.55.ahead.700');
  });

  it('is another than that where the call only reads: that one may have ended for nobody', () => {
    const reading = { ...left, policy: { ...left.policy, readOnly: true } };

    expect(callMessageId({ call: reading, ticket })).toBe('d-1.1');
  });
});
