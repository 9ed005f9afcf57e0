import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rules, ruleGroups } from './rules/rule-groups';
import { problemsOf } from './seed-coverage/check-item';
import { seedCoveragePage } from './seed-coverage/seed-coverage-page';
import { seedGroups } from './seed-items/seed-groups';
import { semanticsPage } from './semantics/semantics-page';
import { rulesWithoutTest } from './semantics/tests-of-rules';
import { Repository } from './sources/repository';

const repository = new Repository();

const pages = new Map([
  ['semantics', writeSemantics],
  ['seed-coverage', writeSeedCoverage],
]);
const [page = ''] = process.argv.slice(2);
const write = pages.get(page);
if (write) write();
else {
  console.error(`Usage: npm run ${[...pages.keys()].join(' | npm run ')}`);
  process.exitCode = 2;
}

function writeSemantics(): void {
  const tests = repository.tests();
  save('docs/reference/semantics.md', semanticsPage(ruleGroups, tests));
  for (const { number, title } of rulesWithoutTest(rules, tests))
    console.warn(`No test names B${number}: ${title}`);
}

function writeSeedCoverage(): void {
  save('docs/reference/seed-coverage.md', seedCoveragePage(seedGroups, repository));
  for (const item of seedGroups.flatMap(({ items }) => items)) {
    const problems = problemsOf(item, repository);
    if (item.pending && problems.length === 0) console.warn(`Pending, but all there: ${item.item}`);
    else if (problems.length > 0) {
      console.warn(`${item.pending ? 'Pending' : 'WRONG'}: ${item.item}: ${problems.join('; ')}`);
    }
  }
}

function save(file: string, text: string): void {
  writeFileSync(path.join(repository.root, file), text);
  console.log(`Wrote ${file}`);
}
