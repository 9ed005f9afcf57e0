/** What jest's `--json` says of the files it ran; the fields that are read here. */
export interface JestReport {
  readonly testResults: readonly JestFile[];
}

export interface JestFile {
  /** The file's absolute path. */
  readonly name: string;
  readonly status: 'passed' | 'failed';
  /** Why the file could not be run, when it has no test results. */
  readonly message: string;
  readonly assertionResults: readonly JestTest[];
}

export interface JestTest {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'pending' | 'todo' | 'skipped' | 'disabled';
  readonly failureMessages: readonly string[] | null;
}

/** What jest writes before the stack: the message of what was thrown. */
export function messagesOf({ failureMessages }: JestTest): readonly string[] {
  return (failureMessages ?? []).map((message) => withoutColours(message).split(/\n\s+at /)[0] ?? '');
}

export function withoutColours(text: string): string {
  // eslint-disable-next-line no-control-regex -- an escape is what a colour begins with
  return text.replace(/\u001b\[\d*m/g, '');
}
