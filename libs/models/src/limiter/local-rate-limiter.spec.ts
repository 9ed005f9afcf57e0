import { LocalRateLimiter } from './local-rate-limiter';
import { accountOf, laneName } from './rate-limiter';
import { LruCache } from './lru-cache';

describe('LocalRateLimiter', () => {
  const wait = { signal: new AbortController().signal, maxHoldMs: 0 };
  const lane = {
    provider: 'openai',
    baseUrl: 'http://u:secret@host',
    model: 'm',
    account: accountOf('key-1'),
  };

  it('limits each model of each account at each address by itself', async () => {
    const told: string[] = [];
    const limiter = new LocalRateLimiter((name) => told.push(name));
    (await limiter.enter(lane, wait)).end({ kind: 'overloaded', retryAfterMs: 60_000 });

    await expect(limiter.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    await limiter.enter({ ...lane, model: 'm-2' }, wait);
    await limiter.enter({ ...lane, baseUrl: undefined }, wait);
    await limiter.enter({ ...lane, account: accountOf('key-2') }, wait);

    expect(told).toEqual([laneName(lane)]);
    expect(told[0]).not.toContain('secret');
  });

  it('holds a lane by its name, as another process tells it', async () => {
    const limiter = new LocalRateLimiter();

    limiter.hear(laneName(lane), { holdMs: 60_000, limit: 1 });

    await expect(limiter.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    expect(limiter.waiting).toBe(0);
  });
});

describe('LruCache', () => {
  it('keeps so many, those that were used last, and whatever is in use', () => {
    const made: string[] = [];
    const create = (name: string): string => {
      made.push(name);
      return name;
    };
    const cache = new LruCache(create, (value) => value === 'used', 3);

    for (const name of ['used', 'a', 'b', 'a', 'c', 'd']) cache.of(name);

    expect([...cache.values()]).toEqual(['used', 'c', 'd']);
    expect(made).toEqual(['used', 'a', 'b', 'c', 'd']);
  });

  it('forgets what was too much once it is not in use any more', () => {
    let inUse = true;
    const cache = new LruCache(
      (name) => name,
      () => inUse,
      2,
    );
    for (const name of ['a', 'b', 'c', 'd']) cache.of(name);
    expect([...cache.values()]).toHaveLength(4);

    inUse = false;
    cache.of('e');

    expect([...cache.values()]).toEqual(['d', 'e']);
  });
});
