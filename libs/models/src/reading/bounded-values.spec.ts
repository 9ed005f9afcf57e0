import { MAX_JSON_VALUES } from '@skein/contracts';
import { BoundedValues } from './bounded-values';

function count(json: string, size = json.length): BoundedValues {
  const values = new BoundedValues();
  const bytes = Buffer.from(json);
  for (let at = 0; at < bytes.length; at += size) values.add(bytes.subarray(at, at + size));
  return values;
}

function tooLarge(message: RegExp): Error {
  const said: unknown = expect.stringMatching(message);
  return expect.objectContaining({ code: 'model.too-large', message: said }) as Error;
}

describe('BoundedValues', () => {
  it('refuses what would be more values than can be kept', () => {
    const list = (length: number): string => `[${Array(length).fill(0).join()}]`;

    expect(() => count(list(MAX_JSON_VALUES))).not.toThrow();
    expect(() => count(list(MAX_JSON_VALUES + 1))).toThrow(tooLarge(/more than 250000 values/));
    expect(() => count('{},'.repeat(MAX_JSON_VALUES))).toThrow(tooLarge(/more than 250000 values/));
  });

  it('refuses what is nested deeper than can be kept, in whatever pieces', () => {
    for (const opening of ['[', '{"a":']) {
      expect(() => count(opening.repeat(64))).not.toThrow();
      for (const size of [1, 5, 1_000]) {
        expect(() => count(opening.repeat(1_000), size)).toThrow(tooLarge(/deeper than 64 levels/));
      }
    }
  });

  it('leaves alone what stands in a text', () => {
    const text = JSON.stringify({ text: `${'[{,"\\'.repeat(MAX_JSON_VALUES)}"` });

    for (const size of [1, 3, text.length]) expect(count(text, size).isClosed).toBe(true);
  });

  it.each([
    ['', true],
    ['{"a":{}', false],
    ['{"a":"}', false],
    ['{"a":"\\"}', false],
    ['{"a":"\\\\"}', true],
  ])('tells whether %s is closed', (json, isClosed) => {
    expect(count(json, 1).isClosed).toBe(isClosed);
  });
});
