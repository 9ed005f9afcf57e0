import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as adk from '@skein/adk';
import { readComparison, ROOT } from './comparison-file';
import { coveragePage } from './coverage-page';
import { howItDiffers } from './how-it-differs';
import { notCovered } from './not-covered';

// After a name was added or taken away: `npm ci --prefix test/compat && npm run google-adk-coverage`.
const comparison = readComparison();
const reasons = notCovered.flatMap(({ names }) => names);

describe('the page of what @google/adk has', () => {
  it('is the one that the repository holds', () => {
    const page = readFileSync(path.join(ROOT, 'docs/reference/google-adk-coverage.md'), 'utf8');

    expect(page).toBe(coveragePage(comparison));
  });

  it('says the truth of what can be imported', () => {
    const values = comparison.exports.filter(({ kind }) => kind !== 'type');
    const here = values.filter(({ name }) => name in adk).map(({ name }) => name);

    expect(here).toEqual(values.filter(({ shared }) => shared).map(({ name }) => name));
  });

  it('gives one reason for what is missing, and none for what is not', () => {
    const missing = new Set(comparison.exports.filter(({ shared }) => !shared).map(({ name }) => name));

    expect(reasons.filter((name) => !missing.has(name))).toEqual([]);
    expect(reasons).toHaveLength(new Set(reasons).size);
  });

  it('has no reason for differences that nothing needs', () => {
    const idle = howItDiffers.filter(
      ({ places }) => !comparison.differences.some(({ place }) => places.test(place)),
    );

    expect(idle).toEqual([]);
  });
});
