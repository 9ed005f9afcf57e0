import { type JestFile, type JestTest } from './jest-report';
import { judge, judgeUnchanged } from './judge';

const mutation = { rule: 26, name: 'n', file: 'f', from: 'a', to: 'b', spec: 's', test: 'run at once' };
const ASSERTION = '\u001b[2mexpect(\u001b[22mreceived).toBe(expected)\n    at f.ts:1:1';

function reportOf(tests: readonly Partial<JestTest>[], file: Partial<JestFile> = {}) {
  const assertionResults = tests.map((test): JestTest => ({
    fullName: 'calls run at once (B26)',
    status: 'failed',
    failureMessages: [ASSERTION],
    ...test,
  }));
  return { testResults: [{ name: 's', status: 'failed' as const, message: '', assertionResults, ...file }] };
}

describe('a mutation', () => {
  it('is noticed by a failing assertion of the test that names the rule', () => {
    const report = reportOf([{ status: 'passed', failureMessages: [] }, {}]);
    expect(judge(mutation, report)).toEqual({ isNoticed: true, said: 'calls run at once (B26)' });
  });

  it.each([
    ['no test fails', reportOf([{ status: 'passed', failureMessages: [] }]), 'unnoticed'],
    ['only a test of another name fails', reportOf([{ fullName: 'others (B26)' }]), 'no test that names B26'],
    [
      'only a test of another rule fails',
      reportOf([{ fullName: 'run at once (B2)' }]),
      'no test that names B26',
    ],
    ['the test is skipped', reportOf([{ status: 'pending' }]), 'no test that names B26'],
    [
      'the test only breaks',
      reportOf([{ failureMessages: ['TypeError: x is not a function\n    at expect(f.ts)'] }]),
      'at no assertion: calls run at once (B26): TypeError: x is not a function',
    ],
    [
      'the spec cannot be read',
      reportOf([], { message: '  ● Test suite failed to run\n\n    SyntaxError: f.ts' }),
      'did not run: SyntaxError: f.ts',
    ],
  ])('is not noticed when %s', (_what, report, said) => {
    expect(judge(mutation, report)).toEqual({ isNoticed: false, said: expect.stringContaining(said) });
  });

  it('is not tried when its test fails without it', () => {
    expect(judgeUnchanged(mutation, reportOf([{}]))).toBe(
      'fails without the change: calls run at once (B26): expect(received).toBe(expected)',
    );
  });

  it('is tried when its test passes without it', () => {
    expect(judgeUnchanged(mutation, reportOf([{ status: 'passed', failureMessages: [] }]))).toBeUndefined();
  });
});
