import { subjects, type WorkMessage, workReplySchema } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type Logger, type WorkIds } from '@skein/platform';

const TELL_MS = 500;

export interface ToldRunner {
  readonly runnerId: string;
  /** As it is logged: `a cancel`. */
  readonly what: string;
  readonly ids: WorkIds;
}

/** Tells a runner something it would find out by itself, only later: where it cannot be told, that is logged, and no more. */
export async function tellRunner(
  { rpc, logger }: { readonly rpc: RpcClient; readonly logger: Logger },
  { runnerId, what, ids }: ToldRunner,
  message: WorkMessage,
): Promise<void> {
  try {
    await rpc.request(subjects.work(runnerId), workReplySchema, message, { timeoutMs: TELL_MS });
  } catch (error) {
    logger.info({ ...ids, runnerId, err: error }, `runner was not told of ${what}`);
  }
}
