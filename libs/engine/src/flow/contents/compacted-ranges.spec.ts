import fc from 'fast-check';
import { CompactedRanges } from './compacted-ranges';

const aRange = fc
  .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
  .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other) }));
const aBranch = fc.constantFrom(undefined, 'p', 'q');

describe('CompactedRanges', () => {
  it('knows whether any range holds another, as a look at all of them does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(aBranch, aRange)), aRange, aBranch, (added, asked, except) => {
        const ranges = new CompactedRanges();
        for (const [branch, range] of added) ranges.add(branch, range);

        const isHeld = ranges.hold(asked, (branch) => branch !== except);

        const holds = added.some(
          ([branch, { start, end }]) => branch !== except && start <= asked.start && end >= asked.end,
        );
        expect(isHeld).toBe(holds);
      }),
      { numRuns: 1000 },
    );
  });
});
