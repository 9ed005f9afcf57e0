import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { BoundedWait, type CallEnd } from '../calls/bounded-wait';
import { cancelledCall, workerStopping } from '../calls/execute-tool';
import { withRetry } from '../calls/retry-of';
import { type RunnableTool, type ToolCatalog } from './tool-catalog';
import { type ExecutedTool, planeError } from '../calls/tool-outcome';

/** How long the search may take: a toolset is an author's code, or asks a server. */
export interface SearchBounds {
  /** Until the call's deadline, by the clock it was made with. */
  readonly remainingMs: number;
  /** Aborted when this process cannot wait any longer. */
  readonly stopping: AbortSignal;
  /** Aborted when nobody waits for the call any more. */
  readonly cancelled: AbortSignal;
}

export type FoundTool =
  | { readonly tool: RunnableTool }
  /** The search was ended before the tool was found. */
  | { readonly ended: ExecutedTool }
  /** What to answer where no other worker has it; to be tried again where it may be found another time. */
  | { readonly missing: ExecutedTool };

/** Finds a call's tool, within its bounds. Rejects for what is broken inside, and when the process is stopping. */
export async function findTool(
  catalog: ToolCatalog,
  message: ToolCallMessage,
  { remainingMs, stopping, cancelled }: SearchBounds,
): Promise<FoundTool> {
  const { tool } = message.call;
  if (cancelled.aborted) return { ended: cancelledCall(tool) };
  const known = catalog.known(message);
  if (known) return { tool: known };
  const bound = new BoundedWait({ waitMs: remainingMs, timeoutMs: remainingMs, stopping, cancelled });
  try {
    const found = await Promise.race([search(catalog, message, bound.signal), bound.ended]);
    return typeof found === 'string' ? { ended: endedSearch(tool, found) } : found;
  } finally {
    bound.clear();
  }
}

async function search(
  catalog: ToolCatalog,
  message: ToolCallMessage,
  signal: AbortSignal,
): Promise<FoundTool> {
  const { tool: name, pool, policy } = message.call;
  const missing = (reason: string): ExecutedTool => planeError('tool.unknown', reason);
  try {
    const tool = await catalog.find(message, signal);
    return tool ? { tool } : { missing: missing(`No worker of pool '${pool}' knows the tool '${name}'.`) };
  } catch (error) {
    const { message: reason, kind } = AdkError.from(error);
    if (kind === 'internal') throw error;
    const failed = missing(`Tool '${name}' cannot be loaded: ${reason}`);
    return { missing: withRetry(failed, error, { policy, retryOn: undefined }) };
  }
}

function endedSearch(tool: string, why: CallEnd): ExecutedTool {
  if (why === 'cancelled') return cancelledCall(tool);
  if (why === 'stopped') throw workerStopping(tool);
  return planeError('tool.deadline', `The deadline of tool '${tool}' passed while a worker looked for it.`);
}
