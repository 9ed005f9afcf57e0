import { type Logger } from '@skein/platform';
import { type RunningCalls } from './calls/running-calls';
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
}
