import { ruleGroups, rules } from '../rules/rule-groups';
import { Repository } from '../sources/repository';
import { semanticsPage } from './semantics-page';
import { rulesWithoutTest } from './tests-of-rules';

const repository = new Repository();
const tests = repository.tests();

describe('the rules of ADK', () => {
  it('are numbered from B1 to B66, each once', () => {
    expect(rules.map(({ number }) => number)).toEqual(Array.from({ length: 66 }, (_, index) => index + 1));
  });

  it('are each named by a test, but for the deferred', () => {
    expect(rulesWithoutTest(rules, tests).map(({ number, title }) => `B${number}. ${title}`)).toEqual([]);
  });

  it('are not deferred any more once a test names them', () => {
    const deferred = rules.filter((rule) => rule.deferred);
    const untested = rulesWithoutTest(
      deferred.map(({ deferred: _reason, ...rule }) => rule),
      tests,
    );
    expect(deferred.length - untested.length).toBe(0);
  });

  it('stand on the committed page as `npm run semantics` writes it', () => {
    expect(repository.read('docs/reference/semantics.md')).toBe(semanticsPage(ruleGroups, tests));
  });
});
