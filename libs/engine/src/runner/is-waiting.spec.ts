import { type Event } from '@skein/contracts';
import { createEvent } from '../event/create-event';
import { isWaiting } from './is-waiting';

const WAITING = 'e-1';

function aCall(longRunning: string[], ordinary: string[] = [], invocationId = WAITING): Event {
  const parts = [...longRunning, ...ordinary].map((id) => ({ functionCall: { id, name: 'ask', args: {} } }));
  return { ...anEvent(invocationId), content: { role: 'model', parts }, longRunningToolIds: longRunning };
}

function anAnswer(id: string, invocationId = WAITING): Event {
  const functionResponse = { id, name: 'ask', response: { ok: true } };
  return { ...anEvent(invocationId), content: { role: 'user', parts: [{ functionResponse }] } };
}

function anEvent(invocationId: string): Event {
  return createEvent({ id: 'event', invocationId, author: 'agent', timestamp: 1 });
}

describe('an invocation waits (B29, B54)', () => {
  it.each<[string, boolean, Event[]]>([
    ['nothing', false, []],
    ['a long-running call nobody answered', true, [aCall(['a'])]],
    ['a long-running call and later events', true, [aCall(['a']), anEvent(WAITING)]],
    ['ordinary calls alone', false, [aCall([], ['a'])]],
    ['a long-running call that was answered', false, [aCall(['a']), anAnswer('a')]],
    ['one answered within another invocation', false, [aCall(['a']), anAnswer('a', 'e-2')]],
    ['two of which one is open', true, [aCall(['a', 'b']), anAnswer('a')]],
    ['a call under an id that was answered before', true, [aCall(['a']), anAnswer('a'), aCall(['a'])]],
    ['an open call of another invocation', false, [aCall(['a'], [], 'e-2'), anEvent(WAITING)]],
  ])('given %s: %s (B54)', (_what, waits, events) => {
    expect(isWaiting(events, WAITING)).toBe(waits);
  });
});
