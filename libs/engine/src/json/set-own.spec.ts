import { getOwn, setOwn } from './set-own';

describe('a field that somebody else named', () => {
  it.each(['__proto__', 'constructor', 'plain'])('is a field when it is called %j', (key) => {
    const record: Record<string, number> = {};

    setOwn(record, key, 1);

    expect(Object.entries(record)).toEqual([[key, 1]]);
    expect(getOwn(record, key)).toBe(1);
  });

  it('is nothing where it was not put, whatever every object has', () => {
    expect(getOwn<unknown>({}, 'constructor')).toBeUndefined();
  });
});
