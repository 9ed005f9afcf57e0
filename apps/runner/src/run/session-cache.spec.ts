import { type Event } from '@skein/contracts';
import { createEvent, LlmAgent, SequentialAgent } from '@skein/engine';
import { aSession, FakeLlm, runTurn, text } from '@skein/testing';
import { SessionCache } from './session-cache';

const MIB = 1024 * 1024;

function anEvent(text = ''): Event {
  const content = { role: 'model', parts: [{ text }] };
  return createEvent({ id: 'event', invocationId: 'e-1', author: 'agent', timestamp: 1, content });
}

describe('the session cache', () => {
  it('keeps a log until it is taken out', () => {
    const cache = new SessionCache(MIB);
    const log = [anEvent('hi')];

    cache.put('one', log);

    expect(cache.take('one')).toBe(log);
    expect(cache.take('one')).toEqual([]);
    expect(cache.bytes).toBe(0);
  });

  it('knows how far a log reaches that is here, and of none that was taken', () => {
    const cache = new SessionCache(MIB);
    cache.put('one', [anEvent('hi'), anEvent('ho')]);

    expect([1, 2, 3].map((seq) => cache.reaches('one', seq))).toEqual([false, true, false]);
    expect(cache.reaches('other', 0)).toBe(false);
    cache.take('one');
    expect(cache.reaches('one', 2)).toBe(false);
  });

  it('keeps no more bytes than it may, of few large events as of many small ones', () => {
    const cache = new SessionCache(MIB);

    for (let session = 0; session < 10; session += 1)
      cache.put(`large ${session}`, [anEvent('x'.repeat(300_000))]);

    expect(cache.bytes).toBeLessThanOrEqual(MIB);
    expect(cache.take('large 6')).toEqual([]);
    expect(cache.take('large 9')).toHaveLength(1);

    const small = Array.from({ length: 1_000 }, () => anEvent());
    for (let session = 0; session < 10; session += 1) cache.put(`small ${session}`, [...small]);

    expect(cache.bytes).toBeLessThanOrEqual(MIB);
    expect(cache.take('small 0')).toEqual([]);
    expect(cache.take('small 9')).toHaveLength(1_000);
  });

  it('does not give up all others for a log that is too large by itself', () => {
    const cache = new SessionCache(MIB);
    cache.put('small', [anEvent('hi')]);

    cache.put('too large', [anEvent('x'.repeat(2 * MIB))]);

    expect(cache.take('too large')).toEqual([]);
    expect(cache.take('small')).toHaveLength(1);
  });

  it.each([
    ['of data', { inlineData: { mimeType: 'image/png', data: 'A'.repeat(10_000) } }],
    ['of arguments', { functionCall: { name: 'f', args: { rows: [{ text: 'ü'.repeat(5_000) }] } } }],
    ['of other alphabets', { text: '字'.repeat(5_000) }],
  ])('counts what is in an event: %s', (_what, part) => {
    const cache = new SessionCache(MIB);

    cache.put('one', [{ ...anEvent(), content: { role: 'model', parts: [part] } }]);

    expect(cache.bytes).toBeGreaterThan(10_000);
    expect(cache.bytes).toBeLessThan(20_000);
  });

  it('counts what is kept of a log for each of the agents that are told it, and lets it go with the log', async () => {
    const bytesAfter = async (agents: number): Promise<number> => {
      const subAgents = Array.from(
        { length: agents },
        (_none, n) => new LlmAgent({ name: `agent${n}`, model: new FakeLlm([[text('y'.repeat(1_000))]]) }),
      );
      const session = aSession({ events: Array.from({ length: 100 }, () => anEvent('x'.repeat(1_000))) });
      await runTurn(new SequentialAgent({ name: 'all', subAgents }), { session });
      const cache = new SessionCache(4 * MIB);
      cache.put('untold', [...session.events]);
      const untold = cache.bytes;
      cache.put('told', session.events);
      const told = cache.bytes - 2 * untold;
      cache.take('told');
      expect(cache.bytes).toBe(untold);
      return told;
    };

    const ofOne = await bytesAfter(1);

    // Its own words are those of the log, what others said is told in new ones.
    expect(ofOne).toBeGreaterThan(100 * 1_000);
    expect(await bytesAfter(4)).toBeGreaterThan(4 * ofOne);
  });
});
