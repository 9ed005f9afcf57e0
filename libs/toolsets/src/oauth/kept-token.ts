import { type Context } from '@skein/engine';
import { z } from 'zod';
import { type OAuthClient } from './oauth-client';
import { seal, type SealedFor, unseal } from './sealed';
import { type OAuthToken } from './token-endpoint';

/** A token that was refreshed because of a 401, and is answered so within this time, is not worth another one. */
const HOPELESS_MS = 60_000;
const KEY_PREFIX = 'oauth_token_';

const keptSchema = z.object({
  token: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string().optional(),
      goodUntilMs: z.number().optional(),
      renewedAtMs: z.number().optional(),
    })
    .optional(),
  /** Tells the code that it was exchanged for from a newer one. */
  spent: z.string().optional(),
});

/** The token of one credential in the state of its session: read by the author's own processes alone, and for this user. */
export class KeptToken {
  readonly #key: string;
  readonly #sealedFor: SealedFor;

  constructor(
    private readonly context: Pick<Context, 'state' | 'appName' | 'userId'>,
    { clientId, clientSecret }: OAuthClient,
    credentialKey: string,
  ) {
    const { appName, userId } = context;
    this.#key = KEY_PREFIX + credentialKey;
    this.#sealedFor = { secret: clientSecret, purpose: [appName, userId, clientId, credentialKey] };
  }

  get token(): OAuthToken | undefined {
    return this.#kept.token;
  }

  get spent(): string | undefined {
    return this.#kept.spent;
  }

  keep(token: OAuthToken, spent = this.spent): OAuthToken {
    this.context.state.set(this.#key, seal({ token, spent }, this.#sealedFor));
    return token;
  }

  /** The API would not have it: it is refreshed, and the user asked only where that is refused or did not help before. */
  forget(): void {
    const { token, spent } = this.#kept;
    const { refreshToken, renewedAtMs = -Infinity } = token ?? {};
    const isHopeless = refreshToken === undefined || Date.now() - renewedAtMs < HOPELESS_MS;
    const kept = { spent, ...(isHopeless ? {} : { token: { ...token, goodUntilMs: 0 } }) };
    this.context.state.set(this.#key, seal(kept, this.#sealedFor));
  }

  get #kept(): z.output<typeof keptSchema> {
    const text = this.context.state.get(this.#key);
    const kept = typeof text === 'string' ? unseal(text, this.#sealedFor) : undefined;
    return keptSchema.safeParse(kept).data ?? {};
  }
}
