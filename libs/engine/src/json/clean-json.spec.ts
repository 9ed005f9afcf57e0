import fc from 'fast-check';
import { cleanJson } from './clean-json';

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('cleanJson', () => {
  it('reads any JSON value as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        expect(cleanJson(value)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('makes the text of keys and values well-formed and free of NUL', () => {
    expect(cleanJson({ 'a\0': 'x\0y', b: '\ud800' })).toEqual({ b: '\ufffd', 'a\ufffd': 'x\ufffdy' });
  });

  it('orders keys as jsonb does: by length in bytes, then by bytes', () => {
    expect(Object.keys(cleanJson({ bb: 1, é: 2, a: 3, aa: 4, Z: 5 }) as object)).toEqual([
      'Z',
      'a',
      'aa',
      'bb',
      'é',
    ]);
  });

  it.each([
    ['a BigInt', { n: 1n }, 'json.bigint'],
    ['a value 65 levels deep', nested(65), 'json.too-deep'],
    ['a value 20,000 levels deep', nested(20_000), 'json.too-deep'],
  ])('refuses %s', (_what, value, code) => {
    expect(() => cleanJson(value)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses a value that contains itself', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = { cycle };
    expect(() => cleanJson(cycle)).toThrow(expect.objectContaining({ code: 'json.cycle' }));
  });

  it('keeps a key named __proto__ as a key', () => {
    const cleaned = cleanJson(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.hasOwn(cleaned as object, '__proto__')).toBe(true);
    expect({}).not.toHaveProperty('polluted');
  });

  it('turns what JSON has no word for into null, or leaves it out of objects', () => {
    expect(cleanJson({ a: undefined, b: () => 1, c: [undefined, NaN], d: new Date(0) })).toEqual({
      c: [null, null],
      d: '1970-01-01T00:00:00.000Z',
    });
    expect(cleanJson(undefined)).toBeNull();
  });
});
