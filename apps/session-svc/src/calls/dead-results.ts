import { type ToolResultMessage } from '@skein/contracts';

/**
 * Ends of a call that are the plane's: the tool did not answer, or what it gave is not kept. What a tool threw is its answer,
 * and a cancelled call nobody waits for.
 */
const deadCodes: ReadonlySet<string> = new Set([
  'tool.deadline',
  'tool.timeout',
  'tool.heartbeat',
  'tool.attempts-spent',
  'tool.outcome-unknown',
  'tool.unknown',
  'tool.poison',
  'tool.unsendable',
  'tool.not-started',
  'tool.no-worker',
  'tool.exited',
  'tool.memory',
  'tool.crashed',
  'tool.result-too-large',
  'tool.unserialisable',
  'tool.too-deep',
  'tool.bad-actions',
  'tool.bad-result',
]);

/** Whether a result is the end of a call that leaves a dead letter. */
export function isDead({ outcome, retry }: ToolResultMessage): boolean {
  // One that may be tried again comes here only once its attempts are spent.
  return outcome.kind === 'error' && (retry !== undefined || deadCodes.has(outcome.code));
}
