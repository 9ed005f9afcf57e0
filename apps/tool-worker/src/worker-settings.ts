import { type Logger } from '@skein/platform';
import { type RunningCalls } from './running-calls';
import { type ToolMetrics } from './tool-metrics';

/** What the consumer has to know beside its ports. */
export abstract class WorkerSettings {
  /** How this process is called in results. */
  abstract readonly worker: string;
  abstract readonly logger: Logger;
  abstract readonly metrics: ToolMetrics;
  /** The calls this process runs, as it announces them. */
  abstract readonly running: RunningCalls;
  abstract readonly resultLimitBytes: number;
  /** How long a call of an unknown tool rests before it is handed back. */
  abstract readonly returnDelayMs: number;
  /** After so many returns nobody seems to know the tool, unless a worker is known that has it. */
  abstract readonly maxReturns: number;
}
