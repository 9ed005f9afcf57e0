import { LineLimit } from './line-limit';

describe('lines that a client causes', () => {
  let now = 0;
  const limit = (): LineLimit => {
    now = 0;
    return new LineLimit(() => now);
  };
  const written = (of: LineLimit, kind: string, count: number): number =>
    Array.from({ length: count }, () => of.take(kind)).filter((said) => said !== undefined).length;

  it('are ten of one kind in ten seconds, and the next one says how many were left out', () => {
    const lines = limit();

    expect(written(lines, 'a', 1_000)).toBe(10);
    now = 9_999;
    expect(lines.take('a')).toBeUndefined();
    now = 10_000;
    expect(lines.take('a')).toEqual({ leftOut: 991 });
    expect(written(lines, 'a', 1_000)).toBe(9);
  });

  it('of another kind are not kept from being written', () => {
    const lines = limit();
    written(lines, 'a', 1_000);

    expect(lines.take('b')).toEqual({});
  });

  it('of kinds without end take no room without end', () => {
    const lines = limit();

    for (let kind = 0; kind < 10_000; kind++) expect(lines.take(`kind ${kind}`)).toEqual({});
  });
});
