import { type Event } from '@skein/contracts';
import { createEvent } from '@skein/engine';
import { toEventTuples } from './event-tuple';

const RUN = 'e-1';
const [INVOCATION, ACTIONS, OTHERS] = [5, 9, 10];

function tupleOf(overrides: Parameters<typeof createEvent>[0]): readonly unknown[] {
  const event = createEvent(overrides);
  return toEventTuples(1, RUN, [{ stepKey: '0/root.0/model.0', event }])[0] ?? [];
}

describe('an event by place', () => {
  const event = { id: 'id', invocationId: RUN, author: 'root', timestamp: 1.5 };

  it('leaves out what it shares with its chain and with an event as it is made', () => {
    expect(tupleOf(event)).toEqual([
      1,
      1,
      'id',
      '0/root.0/model.0',
      null,
      null,
      'root',
      1.5,
      null,
      null,
      null,
    ]);
  });

  it("names an invocation that is not its chain's", () => {
    expect(tupleOf({ ...event, invocationId: 'e-2' })[INVOCATION]).toBe('e-2');
  });

  it.each([{ stateDelta: { x: 1 } }, { escalate: true }, { artifactDelta: { 'a.txt': 0 } }])(
    'keeps actions that say something: %j',
    (actions) => {
      expect(tupleOf({ ...event, actions })[ACTIONS]).toMatchObject(actions);
    },
  );

  it('keeps actions that lack some of what an event is made with', () => {
    const bare = { ...createEvent(event), actions: { stateDelta: {} } } as unknown as Event;

    expect(toEventTuples(1, RUN, [{ stepKey: '0', event: bare }])[0]?.[ACTIONS]).toEqual({ stateDelta: {} });
  });

  it('names the columns few events have', () => {
    expect(tupleOf({ ...event, branch: 'b', turnComplete: true })[OTHERS]).toEqual({
      branch: 'b',
      turn_complete: true,
    });
  });
});
