import { type SeedItem, type TestReference } from '../seed-items/seed-item';
import { fullName, type NamedTest, rulesNamedIn } from '../sources/named-test';
import { type Repository } from '../sources/repository';

const CI = '.ci/run';
const RULE_ALONE = /^B\d+$/;

/** What is wrong with an item's place in the repository; nothing when it is where it says. */
export function problemsOf(item: SeedItem, repository: Repository): readonly string[] {
  const isPlaced = item.file !== undefined || item.test !== undefined;
  if (!isPlaced)
    return item.departure || item.later ? [] : ['it is neither placed, nor departed from, nor later'];
  return [...fileProblems(item, repository), ...testProblems(item, repository)];
}

/** The full name of the test that an item refers to. */
export function testNamed([file, name]: TestReference, repository: Repository): string | undefined {
  if (!repository.has(file)) return undefined;
  if (file === CI) return stepsOf(repository.read(file)).find((step) => step === name);
  const test = repository.testsIn(file).find((one) => isCalled(one, name));
  return test?.titles.join(' › ');
}

/** A rule's number means any test that names the rule; B4 is not found in B42. */
function isCalled(test: NamedTest, name: string): boolean {
  const [rule] = RULE_ALONE.test(name) ? rulesNamedIn(name) : [];
  return rule === undefined ? fullName(test).includes(name) : rulesNamedIn(fullName(test)).includes(rule);
}

function fileProblems({ file, symbol, fields = {} }: SeedItem, repository: Repository): readonly string[] {
  if (file === undefined) return [];
  if (!repository.has(file)) return [`no file ${file}`];
  const words = repository.wordsIn(file);
  return [...(symbol === undefined ? [] : [symbol]), ...Object.values(fields)]
    .filter((name) => !words.has(name))
    .map((name) => `no ${name} in ${file}`);
}

function testProblems({ test, departure, later }: SeedItem, repository: Repository): readonly string[] {
  if (test === undefined) return departure || later ? [] : ['no test'];
  return testNamed(test, repository) === undefined ? [`no test "${test[1]}" in ${test[0]}`] : [];
}

/** Those that run one after another, and those that run beside them and are counted at the end. */
function stepsOf(script: string): readonly string[] {
  return [...script.matchAll(/^ *(?:step|aside) (\w+) /gm)].map(([, name = '']) => name);
}
