import { type Context } from '@skein/engine';
import { z } from 'zod';
import { type OAuthClient } from './oauth-client';
import { seal, type SealedFor, unseal } from './sealed';
import { type OAuthToken } from './token-endpoint';

const KEY_PREFIX = 'oauth_token_';

const keptSchema = z.object({
  token: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string().optional(),
      goodUntilMs: z.number().optional(),
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

  /** The server would not have it: the user is asked for another one. */
  forget(): void {
    this.context.state.set(this.#key, seal({ spent: this.spent }, this.#sealedFor));
  }

  get #kept(): z.output<typeof keptSchema> {
    const text = this.context.state.get(this.#key);
    const kept = typeof text === 'string' ? unseal(text, this.#sealedFor) : undefined;
    return keptSchema.safeParse(kept).data ?? {};
  }
}
