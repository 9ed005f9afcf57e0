import { type DuePosition, readOverdueCalls, type StorePool } from '@skein/session-store';
import { type EndedCalls } from '../calls/ended-calls';
import { type FalseClaims } from '../calls/false-claims';
import { type ServiceMetrics } from '../service-metrics';

export interface OverdueCallsParts {
  readonly pool: StorePool;
  readonly ended: Pick<EndedCalls, 'giveUp'>;
  readonly claims: Pick<FalseClaims, 'ended'>;
  readonly metrics: ServiceMetrics;
  readonly secret: string;
}

/** Ends calls whose deadline passed without a result: the model reads so. */
export class OverdueCalls {
  constructor(private readonly parts: OverdueCallsParts) {}

  async sweep(signal: AbortSignal): Promise<void> {
    const { pool, secret, claims, ended, metrics } = this.parts;
    let after: DuePosition | undefined;
    do {
      const { items, next } = await readOverdueCalls(pool, secret, { after });
      after = next;
      await Promise.all(
        items.map(async (result) => {
          if (await ended.giveUp(result)) metrics.overdueCalls.increment();
          claims.ended(result.ticket.dispatchId);
        }),
      );
    } while (after && !signal.aborted);
  }
}
