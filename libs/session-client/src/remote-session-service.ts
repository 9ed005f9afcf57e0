import {
  type CreateSession,
  type DeleteSession,
  type Event,
  type GetSession,
  type ListSessions,
  type Session,
  sessionSchema,
  type SessionVerb,
  subjects,
} from '@skein/contracts';
import { SessionService } from '@skein/engine';
import { type RpcClient } from '@skein/messaging';
import { z } from 'zod';

const TIMEOUT_MS = 5_000;

/** Sessions as session-svc keeps them, over request-reply, for who does not run them. */
export class RemoteSessionService extends SessionService {
  constructor(private readonly rpc: RpcClient) {
    super();
  }

  override createSession(request: CreateSession): Promise<Session> {
    return this.#request('create', sessionSchema, request);
  }

  override async getSession(request: GetSession): Promise<Session | undefined> {
    return (await this.#request('get', sessionSchema.nullish(), request)) ?? undefined;
  }

  override listSessions({ appName, userId }: ListSessions): Promise<Session[]> {
    return this.#request('list', z.array(sessionSchema), { appName, userId });
  }

  override async deleteSession(request: DeleteSession): Promise<void> {
    await this.#request('delete', z.unknown(), request);
  }

  override async appendEvent({ session, event }: { session: Session; event: Event }): Promise<Event> {
    const { appName, userId, id: sessionId } = session;
    await this.#request('write', z.unknown(), { appName, userId, sessionId, event });
    return event;
  }

  #request<T>(verb: SessionVerb, schema: z.ZodType<T>, body: unknown): Promise<T> {
    return this.rpc.request(subjects.sessionRpc(verb), schema, body, { timeoutMs: TIMEOUT_MS });
  }
}
