import { fullName, type NamedTest, rulesNamedIn } from '../sources/named-test';
import { type Rule } from '../rules/rule';

/** The tests that name each rule, by its number. */
export function testsOfRules(tests: readonly NamedTest[]): ReadonlyMap<number, readonly NamedTest[]> {
  const byRule = new Map<number, NamedTest[]>();
  for (const test of tests) {
    for (const number of new Set(rulesNamedIn(fullName(test)))) {
      byRule.set(number, [...(byRule.get(number) ?? []), test]);
    }
  }
  return byRule;
}

/** The rules that no test names although they are not deferred. */
export function rulesWithoutTest(rules: readonly Rule[], tests: readonly NamedTest[]): readonly Rule[] {
  const byRule = testsOfRules(tests);
  return rules.filter(({ number, deferred }) => !deferred && !byRule.has(number));
}
