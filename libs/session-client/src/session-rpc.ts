import {
  type Appended,
  appendedSchema,
  type AppendUnit,
  type Claim,
  type Claimed,
  claimedSchema,
  type EventPage,
  eventPageSchema,
  type ReadEvents,
  type Release,
  type Renew,
  type Renewed,
  renewedSchema,
  retryTransient,
  type SessionVerb,
  subjects,
} from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { z } from 'zod';
import { AppendUnitClient, type UnitWay } from './append-unit-client';

const TIMEOUT_MS = 5_000;
const CLAIM_ATTEMPTS = 4;

/** The verbs of session-svc that a runner uses, over request-reply. */
export class SessionRpc extends AppendUnitClient {
  constructor(private readonly rpc: RpcClient) {
    super();
  }

  override append(unit: AppendUnit, way: UnitWay): Promise<Appended> {
    return this.#request('append', appendedSchema, unit, way);
  }

  /** Claims a queued invocation; a repeat with the same `claimId` answers the same. */
  claim(claim: Claim): Promise<Claimed> {
    // Repeated here: were a lost answer left to the queue, the next runner would be told that there is nothing to claim.
    return retryTransient(() => this.#request('claim', claimedSchema, claim), { attempts: CLAIM_ATTEMPTS });
  }

  renew(renew: Renew): Promise<Renewed> {
    return this.#request('renew', renewedSchema, renew);
  }

  /** Gives an unfinished invocation back, for another runner to go on at once. */
  async release(release: Release): Promise<void> {
    await this.#request('release', z.unknown(), release);
  }

  events(read: ReadEvents): Promise<EventPage> {
    return this.#request('events', eventPageSchema, read);
  }

  #request<T>(verb: SessionVerb, schema: z.ZodType<T>, body: unknown, way?: UnitWay): Promise<T> {
    return this.rpc.request(subjects.sessionRpc(verb), schema, body, { timeoutMs: TIMEOUT_MS, ...way });
  }
}
