import { Repository } from '../../coverage/src/sources/repository';
import { allMutations } from './all-mutations';
import { heading, summary, tableRow } from './report';
import { type Tried, tryMutations } from './try-mutations';

void main(process.argv.slice(2));

/** `npm run test:mutations`, or with `-- B26 B31` only what breaks these rules. */
async function main(rules: readonly string[]): Promise<void> {
  const chosen = allMutations.filter(({ rule }) => rules.length === 0 || rules.includes(`B${rule}`));
  const tried: Tried[] = [];
  console.log(heading());
  for await (const one of tryMutations(chosen, new Repository().root)) {
    tried.push(one);
    console.log(tableRow(one));
  }
  console.log(summary(tried));
  process.exitCode = tried.length > 0 && tried.every(({ isNoticed }) => isNoticed) ? 0 : 1;
}
