import { normalForm } from './normal-form';
import { type Played } from './play';

const played = (invocationId: string, callId: string, timestamp: number): Played => {
  const call = { functionCall: { id: callId, name: 'f', args: { at: '2026-01-02T03:04:05.678Z' } } };
  const event = { id: `${callId}-event`, invocationId, author: 'a', timestamp, content: { parts: [call] } };
  const asked = { functionResponse: { id: callId, name: 'f', response: {} } };
  return {
    turns: [{ events: [event, { ...event }, { ...event, id: 'another' }] }],
    stored: { besides: [], withheld: [] },
    state: { [callId]: 1 },
    asked: [{ model: 'm', contents: [asked], config: {} }],
  };
};

describe('the normal form', () => {
  it('is the same for two runs that differ in their ids and times', () => {
    expect(normalForm(played('e-1', 'c-1', 1))).toEqual(normalForm(played('e-2', 'c-2', 2)));
  });

  it('tells seconds from milliseconds', () => {
    expect(normalForm(played('e-1', 'c-1', 1_700_000_000.5))).not.toEqual(
      normalForm(played('e-1', 'c-1', 1_700_000_000_500)),
    );
  });

  it('names ids by what they stand for, wherever they are', () => {
    expect(normalForm(played('e-1', 'c-1', 1))).toMatchObject({
      turns: [
        {
          events: [
            {
              id: 'new',
              invocationId: 'invocation 1',
              timestamp: 'seconds',
              content: { parts: [{ functionCall: { id: 'call of f 1', args: { at: '<moment>' } } }] },
            },
            { id: 'as before' },
            { id: 'new' },
          ],
        },
      ],
      state: { 'call of f 1': 1 },
      asked: [{ contents: [{ functionResponse: { id: 'call of f 1' } }] }],
    });
  });
});
