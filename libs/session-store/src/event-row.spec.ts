import { type Event, eventSchema } from '@skein/contracts';
import { fromEventRow, toEventRow } from './event-row';

function anEvent(overrides: Record<string, unknown> = {}): Event {
  return eventSchema.parse({
    id: 'id',
    timestamp: 1.5,
    invocationId: 'e-1',
    author: 'root',
    actions: {},
    ...overrides,
  });
}

describe('event rows', () => {
  it('give back the event they were made of, unknown fields and empty values included', () => {
    const event = anEvent({
      branch: '',
      partial: false,
      longRunningToolIds: [],
      newerField: { deep: [null] },
      output: null,
    });

    expect(fromEventRow(toEventRow(event))).toEqual(event);
  });

  it('drop temp: keys, in the row as in what is shown', () => {
    const event = anEvent({ actions: { stateDelta: { 'temp:x': 1, y: 2 } } });

    expect(fromEventRow(toEventRow(event)).actions.stateDelta).toEqual({ y: 2 });
  });

  it('keep a timestamp the column cannot hold', () => {
    const event = anEvent({ timestamp: -3.123456789 });

    expect(toEventRow(event).seconds).toBe(0);
    expect(fromEventRow(toEventRow(event)).timestamp).toBe(-3.123456789);
  });

  it('name fields in the order of jsonb: shorter first', () => {
    const fields = Object.keys(fromEventRow(toEventRow(anEvent({ branch: 'b', turnComplete: true }))));

    expect(fields).toEqual([
      'id',
      'author',
      'branch',
      'actions',
      'timestamp',
      'invocationId',
      'turnComplete',
    ]);
  });
});
