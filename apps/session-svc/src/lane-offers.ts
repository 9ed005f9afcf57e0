import { type NatsService, subjects } from '@skein/contracts';
import { type LaneOffer } from '@skein/messaging';

/**
 * What each service may ask over a lane: what a turn waits for, and what NATS lets it ask too (`nats-permissions.ts`). The rest is rare, and a
 * lease is renewed over NATS for a reason: a runner that NATS is cut from hears of no result and no cancel, and is to give its
 * runs up.
 */
export const laneOffers = [
  { service: 'gateway', subjects: [subjects.sessionRpc('submit')] },
  { service: 'runner', subjects: [subjects.sessionRpc('append')] },
] as const satisfies readonly (LaneOffer & { readonly service: NatsService })[];
