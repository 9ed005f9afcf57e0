import { type Event } from '@skein/contracts';
import { answers, asks, says } from '@skein/testing';
import { pairResponses } from './pair-responses';

/** For each event that asks, which events answer it, all by their places. */
function pairsOf(events: Event[]): [number, number[]][] {
  return [...pairResponses(events).exchanges.values()].map(({ asked, answeredBy }) => [
    events.indexOf(asked),
    answeredBy.map((event) => events.indexOf(event)),
  ]);
}

describe('pairResponses', () => {
  it('gives each response to the call of its id', () => {
    const events = [asks('me', ['a']), asks('me', ['b']), answers('me', { b: 1 }), answers('me', { a: 1 })];

    expect(pairsOf(events)).toEqual([
      [0, [3]],
      [1, [2]],
    ]);
  });

  it('lets calls of one id in two turns each have their own response', () => {
    const events = [
      asks('me', ['a']),
      answers('me', { a: 1 }),
      asks('me', ['a']),
      answers('me', { a: 2 }),
      asks('me', ['a']),
    ];

    expect(pairsOf(events)).toEqual([
      [0, [1]],
      [2, [3]],
      [4, []],
    ]);
  });

  it('gives a response to the nearest call that has none, then to the one before', () => {
    const events = [asks('me', ['a']), asks('me', ['a']), answers('me', { a: 2 }), answers('me', { a: 1 })];

    expect(pairsOf(events)).toEqual([
      [0, [3]],
      [1, [2]],
    ]);
  });

  it('takes one response more for news about the latest call', () => {
    const events = [
      asks('me', ['a']),
      answers('me', { a: 1 }),
      asks('me', ['a']),
      answers('me', { a: 'pending' }),
      answers('user', { a: 'done' }),
    ];

    expect(pairsOf(events)).toEqual([
      [0, [1]],
      [2, [3, 4]],
    ]);
  });

  it('answers calls of one id in one event in their order', () => {
    const responses = says('me', [
      { functionResponse: { id: 'a', name: 'f' } },
      { functionResponse: { id: 'a', name: 'f' } },
    ]);
    const events = [asks('me', ['a', 'a']), responses];

    const { exchanges, answered } = pairResponses(events);

    const calls = [...exchanges.values()].flatMap((exchange) => exchange.calls);
    expect(calls.every(({ isAnswered }) => isAnswered)).toBe(true);
    expect(answered.get(responses)).toEqual(calls);
  });

  it('goes by the name where a call has no id', () => {
    const events = [
      asks('me', [{ name: 'f' }, { name: 'g' }]),
      says('me', [{ functionResponse: { name: 'g' } }]),
    ];

    const [exchange] = pairResponses(events).exchanges.values();

    expect(exchange?.calls.map(({ isAnswered }) => isAnswered)).toEqual([false, true]);
  });

  it('gives a response that comes before its call, or without one, to nobody', () => {
    const events = [answers('me', { a: 1 }), asks('me', ['a']), answers('me', { x: 1 })];

    expect(pairsOf(events)).toEqual([[1, []]]);
  });
});
