import { code } from '../markdown';
import { type Rule, type RuleGroup } from '../rules/rule';
import { type NamedTest } from '../sources/named-test';
import { testsOfRules } from './tests-of-rules';

const HEAD = `# The rules of ADK and the tests that hold them

What an ADK author relies on, as 66 numbered rules. Each is followed by the tests that name it: a test of rule B26 has
\`(B26)\` in its name. Cases under \`test/conformance\` run in one process and across the four services, with equal results.

This page is generated: \`npm run semantics\`.
`;

/** The page of the rules, as the repository holds it. */
export function semanticsPage(groups: readonly RuleGroup[], tests: readonly NamedTest[]): string {
  const byRule = testsOfRules(tests);
  const sections = groups.map(({ title, rules }) =>
    [`## ${title}`, ...rules.map((rule) => section(rule, byRule.get(rule.number) ?? []))].join('\n\n'),
  );
  return `${[HEAD.trimEnd(), ...sections].join('\n\n')}\n`;
}

function section({ number, title, statement, note, deferred }: Rule, tests: readonly NamedTest[]): string {
  const held = tests.length > 0 ? testList(tests) : `No test yet. ${deferred ?? ''}`.trimEnd();
  return [`### B${number}. ${title}`, statement, ...(note ? [note] : []), held].join('\n\n');
}

function testList(tests: readonly NamedTest[]): string {
  const files = [...new Set(tests.map(({ file }) => file))];
  return files
    .map((file) => {
      const named = tests.filter((test) => test.file === file);
      return [`- ${code(file)}`, ...named.map(({ titles }) => `  - ${code(titles.join(' › '))}`)].join('\n');
    })
    .join('\n');
}
