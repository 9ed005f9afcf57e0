import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { comparePackages } from './compare-packages';
import { readComparison, ROOT, writeComparison } from './comparison-file';
import { coveragePage } from './coverage-page';
import { packagesBelow } from './published-package';

const packages = packagesBelow(ROOT);
if (existsSync(packages.theirs)) writeComparison(comparePackages(packages));
else
  console.warn(
    "npm's package is not installed (npm run test:compat): the page is made of what was found before.",
  );
writeFileSync(path.join(ROOT, 'docs/reference/google-adk-coverage.md'), coveragePage(readComparison()));
