/** What a model is told about a call that failed. */
export interface FailedCall {
  readonly toolName: string;
  readonly toolArgs: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly maxRetries: number;
}

/** How a model may mend a failed call. */
export function retryGuidance(call: FailedCall, retryCount: number): string {
  return [
    `Calling \`${call.toolName}\` did not work.`,
    aboutCall(call),
    `This is retry ${retryCount} of ${call.maxRetries}. The same call would fail again, so ask first what was wrong:`,
    [
      '- the arguments: does each one have the form and the meaning that the tool describes?',
      '- what had to be there before: is a step missing that the tool builds on?',
      '- the tool: does it exist under this name, and is there one that fits the task better?',
      '- the size of the task: can it be done in smaller steps?',
    ].join('\n'),
    'Then go on with a call that differs in what was wrong, or in another way.',
  ].join('\n\n');
}

/** That a model has to do without a tool. */
export function giveUpGuidance(call: FailedCall): string {
  return [
    `\`${call.toolName}\` failed again after ${call.maxRetries} retries, and there are no more.`,
    aboutCall(call),
    `Do not call \`${call.toolName}\` again for this task. Find a way without it, or tell the user what could not be done.`,
  ].join('\n\n');
}

function aboutCall({ reason, toolArgs }: FailedCall): string {
  return `What went wrong:\n${reason}\n\nThe arguments were:\n${JSON.stringify(toolArgs, undefined, 2)}`;
}
