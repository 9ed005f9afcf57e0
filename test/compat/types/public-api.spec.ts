import { comparePackages } from '../../../tools/google-adk/src/compare-packages';
import { readComparison, ROOT } from '../../../tools/google-adk/src/comparison-file';
import { packagesBelow } from '../../../tools/google-adk/src/published-package';

// After a change that is meant: `npm run google-adk-coverage`.
describe('the public API of @skein/adk, against the types that @google/adk publishes', () => {
  const known = readComparison();
  const found = comparePackages(packagesBelow(ROOT));
  const places = known.differences.map(({ place }) => place);

  it('has each name that it had', () => {
    const shared = (exports: typeof found.exports): string[] =>
      exports.filter((exported) => exported.shared).map(({ name }) => name);

    expect(shared(found.exports)).toEqual(shared(known.exports));
  });

  it('takes each option and has each member, but for the differences that are known', () => {
    expect(found.differences.map(({ place }) => place).filter((place) => !places.includes(place))).toEqual(
      [],
    );
  });

  it('has each difference that is known, and the same exports', () => {
    expect(found).toEqual(known);
  });
});
