import { MAX_WIRE_DEPTH } from '@skein/contracts';
import fc from 'fast-check';
import { cutDeep } from './cut-deep';

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

describe('JSON that is cut where it is too deep', () => {
  it('is the very same bytes where it is not', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        expect(cutDeep(bytes)).toBe(bytes);
      }),
    );
    const flat = Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}, '[[{{\\"']))); // Many, and none deep.
    expect(cutDeep(flat)).toBe(flat);
    const deepest = Buffer.from(nested(MAX_WIRE_DEPTH));
    expect(cutDeep(deepest)).toBe(deepest);
  });

  it.each([MAX_WIRE_DEPTH, 5_000, 1_000_000])('keeps what lies beside: %i levels', (levels) => {
    const text = `{"before":"]","deep":${nested(levels)},"mixed":${nested(3)},"after":{"a":1}}`;

    const read = JSON.parse(Buffer.from(cutDeep(Buffer.from(text))).toString('utf8')) as object;

    expect(read).toMatchObject({ before: ']', mixed: [[[]]], after: { a: 1 } });
    const kept = JSON.stringify((read as { readonly deep: unknown }).deep);
    expect(kept).toBe(nested(MAX_WIRE_DEPTH - 1).replace('[]', '[null]'));
  });
});
