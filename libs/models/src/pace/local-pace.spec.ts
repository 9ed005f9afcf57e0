import { LocalPace } from './local-pace';
import { laneName } from './model-pace';
import { Recent } from './recent';

describe('LocalPace', () => {
  const wait = { signal: new AbortController().signal, maxHoldMs: 0 };
  const lane = { provider: 'openai', baseUrl: 'http://u:secret@host', model: 'm' };

  it('paces each model at each address by itself', async () => {
    const told: string[] = [];
    const pace = new LocalPace((name) => told.push(name));
    (await pace.enter(lane, wait)).end({ kind: 'overloaded', retryAfterMs: 60_000 });

    await expect(pace.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    await pace.enter({ ...lane, model: 'm-2' }, wait);
    await pace.enter({ ...lane, baseUrl: undefined }, wait);

    expect(told).toEqual([laneName(lane)]);
    expect(told[0]).not.toContain('secret');
  });

  it('holds a lane by its name, as another process tells it', async () => {
    const pace = new LocalPace();

    pace.hear(laneName(lane), { holdMs: 60_000, limit: 1 });

    await expect(pace.enter(lane, wait)).rejects.toMatchObject({ code: 'model.held-back' });
    expect(pace.waiting).toBe(0);
  });
});

describe('Recent', () => {
  it('keeps so many, those that were used last, and whatever is in use', () => {
    const made: string[] = [];
    const create = (name: string): string => {
      made.push(name);
      return name;
    };
    const recent = new Recent(create, (value) => value === 'used', 3);

    for (const name of ['used', 'a', 'b', 'a', 'c', 'd']) recent.of(name);

    expect([...recent.values()]).toEqual(['used', 'c', 'd']);
    expect(made).toEqual(['used', 'a', 'b', 'c', 'd']);
  });
});
