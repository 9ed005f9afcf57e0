import { AdkError } from '@skein/contracts';

/** The tool called process.exit, or something in it did. */
export function exitedError(tool: string, place: 'thread' | 'process', exitCode: number): AdkError {
  return new AdkError(
    'invalid',
    'tool.exited',
    `Tool '${tool}' ended its ${place} with exit code ${exitCode} before it gave a result.`,
  );
}

export function memoryError(tool: string, limitBytes: number): AdkError {
  const limit = `${Math.round(limitBytes / 2 ** 20)} MiB`;
  return new AdkError(
    'invalid',
    'tool.memory',
    `Tool '${tool}' took more memory than its limit of ${limit}.`,
  );
}

/** What a tool threw where nobody catches, or the signal that ended its process. */
export function crashedError(tool: string, how: string): AdkError {
  return new AdkError('invalid', 'tool.crashed', `Tool '${tool}' crashed before it gave a result: ${how}`);
}
