/** A credential in ADK's shape; which field is filled is told by `authType`. */
export interface AuthCredential {
  readonly authType: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'serviceAccount';
  readonly apiKey?: string;
  readonly http?: {
    readonly scheme: string;
    readonly credentials: {
      readonly username?: string;
      readonly password?: string;
      readonly token?: string;
    };
    readonly additionalHeaders?: Readonly<Record<string, string>>;
  };
  readonly oauth2?: Readonly<Record<string, unknown>>;
  readonly serviceAccount?: Readonly<Record<string, unknown>>;
}

/** What a tool needs to act for its user, and under which key the answer is kept. */
export interface AuthConfig {
  /** A security scheme of OpenAPI 3. */
  readonly authScheme: Readonly<Record<string, unknown>>;
  /** The author's own half: client id and secret, say. It never leaves the process that holds it. */
  readonly rawAuthCredential?: AuthCredential;
  /** The user's half, once he has given it. */
  readonly exchangedAuthCredential?: AuthCredential;
  readonly credentialKey: string;
}

/** The call in which a tool asks its user for a credential (B35). */
export const REQUEST_CREDENTIAL = 'adk_request_credential';
