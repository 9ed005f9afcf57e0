import { AdkError } from '@skein/contracts';
import { type AuthConfig, type AuthCredential, type Context } from '@skein/engine';
import { isUsable } from './apply-credential';
import { type SecurityScheme } from './document-parts';

/** Whether a call can go on, or waits for its user. */
export interface AuthPreparationResult {
  readonly state: 'pending' | 'done';
  readonly authCredential?: AuthCredential;
}

/** The credential of one scheme for one call: the author's, what the user gave, or else asked of the user (B35). */
export class ToolAuthHandler {
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
    { credentialKey }: { readonly credentialKey?: string } = {},
  ): ToolAuthHandler {
    return new ToolAuthHandler(context, authScheme, authCredential, credentialKey);
  }

  /** Rejects with `openapi.credential` for what the user gave and the scheme has no use for. */
  async prepareAuthCredentials(): Promise<AuthPreparationResult> {
    const { authScheme, authCredential } = this;
    if (!authScheme) return { state: 'done' };
    if (authCredential && isUsable(authScheme, authCredential)) return { state: 'done', authCredential };
    const config: AuthConfig = {
      authScheme,
      credentialKey: this.credentialKey ?? 'default_openapi_key',
      ...(authCredential ? { rawAuthCredential: authCredential } : {}),
    };
    const given = this.context.getAuthResponse(config);
    if (given && isUsable(authScheme, given)) return { state: 'done', authCredential: given };
    if (given) throw notUsable(authScheme);
    this.context.requestCredential(config);
    return { state: 'pending' };
  }
}

function notUsable({ type }: SecurityScheme): AdkError {
  return new AdkError(
    'invalid',
    'openapi.credential',
    `What the user gave is no credential for ${type}: a token is needed; a code is not exchanged for one.`,
  );
}
