import { randomUUID } from 'node:crypto';
import { subjects, type WorkerAnnouncement } from '@skein/contracts';
import { publishCore } from '@skein/messaging';
import { type Cleanup, type ServiceGround } from './session-svc-harness';

export interface AnnouncedWorker {
  readonly pool: string;
  readonly tools: readonly string[];
  readonly hasToolsets?: boolean;
  readonly concurrency?: number;
  readonly holds?: boolean;
}

/** A live worker, as far as anybody hears: until the test ends, or what this answers is called. */
export async function announceWorker(
  ground: ServiceGround,
  cleanup: Cleanup,
  { pool, tools, hasToolsets = false, concurrency = 4, holds }: AnnouncedWorker,
): Promise<() => void> {
  const said: WorkerAnnouncement = {
    worker: `worker-${randomUUID()}`,
    pools: [{ pool, concurrency, running: 0 }],
    apps: { app: { tools: [...tools], hasToolsets } },
    running: [],
    ...(holds !== undefined && { holds }),
    isLeaving: false,
  };
  const announce = () => publishCore(ground.connection, subjects.workerAnnouncement, said);
  const timer = setInterval(() => void announce(), 500);
  cleanup.add(() => clearInterval(timer));
  await announce();
  return () => clearInterval(timer);
}
