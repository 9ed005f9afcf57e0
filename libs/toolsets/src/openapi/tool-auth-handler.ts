import { AdkError } from '@skein/contracts';
import { type AuthCredential, type Context } from '@skein/engine';
import { userCredential } from '../auth/user-credential';
import { type OAuthTokens } from '../oauth/oauth-tokens';
import { isUsable } from './apply-credential';
import { type SecurityScheme } from './document-parts';

/** Whether a call can go on, or waits for its user. */
export interface AuthPreparationResult {
  readonly state: 'pending' | 'done';
  readonly authCredential?: AuthCredential;
  /** Called where the server would not have the credential: it is not used again. */
  readonly forget?: () => void;
}

export interface ToolAuthOptions {
  readonly credentialKey?: string;
  /** Exchanges codes for tokens and gets those of a client; without it the user has to give a token. */
  readonly oauth?: OAuthTokens;
}

/** The credential of one scheme for one call: the author's, what the user gave, or else asked of the user (B35). */
export class ToolAuthHandler {
  #oauth: OAuthTokens | undefined;

  constructor(
    private readonly context: Context,
    private readonly authScheme?: SecurityScheme,
    private readonly authCredential?: AuthCredential,
    private readonly credentialKey?: string,
  ) {}

  static fromToolContext(
    context: Context,
    authScheme?: SecurityScheme,
    authCredential?: AuthCredential,
    { credentialKey, oauth }: ToolAuthOptions = {},
  ): ToolAuthHandler {
    const handler = new ToolAuthHandler(context, authScheme, authCredential, credentialKey);
    handler.#oauth = oauth;
    return handler;
  }

  /** Rejects with `openapi.credential` for what the user gave and the scheme has no use for, with `oauth.…`. */
  async prepareAuthCredentials(): Promise<AuthPreparationResult> {
    const { authScheme, authCredential } = this;
    if (!authScheme) return { state: 'done' };
    if (authCredential && isUsable(authScheme, authCredential)) return { state: 'done', authCredential };
    const config = {
      authScheme,
      credentialKey: this.credentialKey ?? 'default_openapi_key',
      ...(authCredential ? { rawAuthCredential: authCredential } : {}),
    };
    const given = userCredential(this.context, config);
    if (given && isUsable(authScheme, given)) return { state: 'done', authCredential: given };
    const prepared = await this.#oauth?.prepare(this.context, config);
    if (prepared && 'credential' in prepared) {
      const { credential, forget } = prepared;
      return { state: 'done', authCredential: credential, ...(forget ? { forget } : {}) };
    }
    if (given && !prepared) throw notUsable(authScheme);
    this.context.requestCredential(prepared?.ask ?? config);
    return { state: 'pending' };
  }
}

function notUsable({ type }: SecurityScheme): AdkError {
  return new AdkError(
    'invalid',
    'openapi.credential',
    `What the user gave is no credential for ${type}: a token is needed, or an author's client that exchanges a code for one.`,
  );
}
