import { rulesNamedIn } from '../../coverage/src/sources/named-test';
import { type JestReport, type JestTest, messagesOf } from './jest-report';
import { type Mutation } from './mutation';

/** Whether the change was noticed; `said` is the test that did, or what went wrong. */
export interface Verdict {
  readonly isNoticed: boolean;
  readonly said: string;
}

/** How jest's own assertions begin; errors of another kind show that code broke, not that the rule was seen to. */
const ASSERTION = /\bexpect\(|Property failed after/;

/** Noticed is a change only by a failing assertion of the very test that names the rule. */
export function judge(mutation: Mutation, report: JestReport): Verdict {
  const [file] = report.testResults;
  const named = testsOf(mutation, report);
  if (named.length === 0) return missed(whyNothingRan(mutation, file?.message));
  const failed = named.filter(({ status }) => status === 'failed');
  const noticing = failed.find((test) => messagesOf(test).some((message) => ASSERTION.test(message)));
  if (noticing) return { isNoticed: true, said: noticing.fullName };
  const [broken] = failed;
  if (broken) return missed(`failed, but at no assertion: ${reasonOf(broken)}`);
  return missed('no test failed: the change went unnoticed');
}

/** Before any change: why the mutation cannot be tried, if so. */
export function judgeUnchanged(mutation: Mutation, report: JestReport): string | undefined {
  const named = testsOf(mutation, report);
  if (named.length === 0) return whyNothingRan(mutation, report.testResults[0]?.message);
  const failed = named.find(({ status }) => status === 'failed');
  return failed && `fails without the change: ${reasonOf(failed)}`;
}

function testsOf({ rule, test }: Mutation, { testResults }: JestReport): readonly JestTest[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .filter(({ fullName }) => fullName.includes(test) && rulesNamedIn(fullName).includes(rule));
}

function whyNothingRan({ rule, test }: Mutation, message = ''): string {
  const reason = message.split('\n').find((line) => line.trim() && !line.includes('Test suite failed'));
  return reason
    ? `the spec did not run: ${reason.trim()}`
    : `no test that names B${rule} is called "${test}"`;
}

function reasonOf(test: JestTest): string {
  const [reason = ''] = messagesOf(test)[0]?.split('\n') ?? [];
  return `${test.fullName}: ${reason}`;
}

function missed(said: string): Verdict {
  return { isNoticed: false, said };
}
