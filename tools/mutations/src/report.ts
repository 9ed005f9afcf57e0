import { type Tried } from './try-mutations';

const WIDTHS = { rule: 4, mutation: 62, test: 96 } as const;

export function heading(): string {
  return row('rule', 'mutation', 'test that failed', 'seconds');
}

export function tableRow({ mutation, isNoticed, said, seconds }: Tried): string {
  const line = row(
    `B${mutation.rule}`,
    mutation.name,
    isNoticed ? said : `FAILED: ${said}`,
    seconds.toFixed(1),
  );
  return isNoticed ? line : `${line}\n       ${mutation.file}`;
}

/** The last line has the form of jest's, which .ci/run counts. */
export function summary(tried: readonly Tried[]): string {
  const noticed = tried.filter(({ isNoticed }) => isNoticed);
  const rules = new Set(noticed.map(({ mutation }) => mutation.rule));
  return [
    '',
    `Rules: ${rules.size} broken and noticed`,
    `Tests: ${noticed.length} passed, ${tried.length - noticed.length} failed, ${tried.length} total`,
  ].join('\n');
}

function row(rule: string, mutation: string, test: string, seconds: string): string {
  return [rule.padEnd(WIDTHS.rule), mutation.padEnd(WIDTHS.mutation), test.padEnd(WIDTHS.test), seconds].join(
    ' | ',
  );
}
