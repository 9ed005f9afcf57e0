import { type StreamName, subjects } from './subjects';
import { subjectToken } from './subject-token';
import { type ToolPriority, toolPrioritySchema } from './tool-call';

/** The shared consumer of one work queue: whoever may pull from it takes its messages. */
export interface QueueConsumer {
  readonly stream: StreamName;
  readonly durable: string;
  readonly filterSubject: string;
}

/** In the order in which their calls are taken. */
export const toolPriorities: readonly ToolPriority[] = toolPrioritySchema.options;

/** Pointers to queued invocations, for runners. */
export const runsQueue: QueueConsumer = {
  stream: 'RUNS',
  durable: 'runners',
  filterSubject: subjects.everyRun,
};

/** What tools gave, for session-svc. */
export const resultsQueue: QueueConsumer = {
  stream: 'RESULTS',
  durable: 'session-svc',
  filterSubject: 'result.>',
};

/** The calls of one pool and priority. No token has a `-` before its first `_`, so that no two pools share a name. */
export function toolQueue(pool: string, priority: ToolPriority = 'normal'): QueueConsumer {
  const token = subjectToken(pool);
  return {
    stream: 'TOOLS',
    durable: priority === 'normal' ? `tools_${token}` : `tools-${priority}_${token}`,
    filterSubject: subjects.tool(pool, priority),
  };
}
