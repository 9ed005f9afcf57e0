import { openCalls } from './open-calls';
import type { WireEvent } from './wire-event';

function call(id: string, more: Partial<WireEvent> = {}): WireEvent {
  const parts = [{ functionCall: { id, name: 'approve', args: { amount: 1 } } }];
  return {
    id: `event-${id}`,
    invocationId: 'i1',
    author: 'bank',
    content: { parts },
    longRunningToolIds: [id],
    ...more,
  };
}

function response(id: string): WireEvent {
  return { id: 'r', content: { parts: [{ functionResponse: { id, name: 'approve', response: {} } }] } };
}

function idsOf(events: readonly WireEvent[]): string[] {
  return openCalls(events).map(({ id }) => id);
}

describe('openCalls', () => {
  it('finds a long-running call without a response, and the event that holds it', () => {
    expect(openCalls([call('c1')])).toEqual([
      { eventId: 'event-c1', author: 'bank', id: 'c1', name: 'approve', args: { amount: 1 } },
    ]);
  });

  it('leaves out what was answered, what only streams, and what is no long-running call', () => {
    expect(idsOf([call('c1'), response('c1')])).toEqual([]);
    expect(idsOf([call('c1', { partial: true })])).toEqual([]);
    expect(idsOf([call('c1', { longRunningToolIds: [] })])).toEqual([]);
  });

  it('finds a call whose id was used and answered before', () => {
    expect(idsOf([call('c1'), response('c1'), call('c1')])).toEqual(['c1']);
  });

  it('leaves out what was taken back', () => {
    const rewind = { id: 'w', actions: { rewindBeforeInvocationId: 'i2' } };

    expect(idsOf([call('c1'), call('c2', { invocationId: 'i2' }), rewind])).toEqual(['c1']);
  });
});
