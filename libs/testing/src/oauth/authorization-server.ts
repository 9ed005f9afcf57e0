import { createHash, randomUUID } from 'node:crypto';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { Request, Response } from 'express';

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

/** An authorization server that refuses whatever RFC 6749 lets it refuse, with an API that takes its tokens. */
export class AuthorizationServer {
  readonly clientId = 'skein';
  readonly clientSecret = 'CLIENT-SECRET';
  /** The grants it was asked for, those it refused included. */
  readonly grants: string[] = [];
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Set<string>();
  readonly #accessTokens = new Set<string>();
  lifetimeS = 3_600;
  /** Whether a refresh token is good for one time; else it stays, and is not said again. */
  isRotating = true;
  /** Answers of the token endpoint in the place of its own. */
  override: ((response: Response) => void) | undefined;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<AuthorizationServer> {
    // Most who import this lib start no such server.
    const { default: express } = await import('express');
    const app = express();
    const server = await new Promise<Server>((resolve) => {
      const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const made = new AuthorizationServer(server, origin);
    app.get('/authorize', (request, response) => made.#authorize(request, response));
    app.post('/token', express.urlencoded(), (request, response) => made.#token(request, response));
    app.get('/.well-known/openid-configuration', (_request, response) => {
      const endpoints = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` };
      response.json({ issuer: origin, ...endpoints });
    });
    app.get('/api/mine', (request, response) => {
      const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
      if (made.#accessTokens.has(token)) response.json({ pets: 2 });
      else response.status(401).json({ why: 'who are you?' });
    });
    return made;
  }

  get endpoints(): { authorizationUrl: string; tokenUrl: string; scopes: Record<string, string> } {
    const { origin } = this;
    return {
      authorizationUrl: `${origin}/authorize`,
      tokenUrl: `${origin}/token`,
      scopes: { read: 'reads' },
    };
  }

  /** What the author has of it. */
  credential(more: object = {}): { authType: 'oauth2'; oauth2: Record<string, unknown> } {
    const { clientId, clientSecret } = this;
    return {
      authType: 'oauth2',
      oauth2: { clientId, clientSecret, redirectUri: 'https://app.example/back', ...more },
    };
  }

  /** Goes where a user is sent and says yes: answers where his browser is sent back to. */
  async consent(authUri: unknown): Promise<string> {
    const answer = await fetch(String(authUri), { redirect: 'manual' });
    const back = answer.headers.get('location');
    if (back === null) throw new Error(`nobody is asked: ${await answer.text()}`);
    return back;
  }

  /** As an administrator does: no token that was given is good any more. */
  revokeAccess(): void {
    this.#accessTokens.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #authorize({ query }: Request, response: Response): void {
    const { client_id: client, redirect_uri: redirectUri, response_type: type, state } = query;
    if (client !== this.clientId || type !== 'code' || typeof redirectUri !== 'string') {
      response.status(400).send('no such client, or no address to go back to');
      return;
    }
    const code = randomUUID();
    const challenge = typeof query.code_challenge === 'string' ? query.code_challenge : undefined;
    this.#codes.set(code, { redirectUri, challenge });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    if (typeof state === 'string') back.searchParams.set('state', state);
    response.redirect(back.href);
  }

  #token(request: Request, response: Response): void {
    const fields = request.body as Record<string, string>;
    this.grants.push(fields.grant_type ?? '');
    if (this.override) this.override(response);
    else if (!this.#isClient(request)) response.status(401).json({ error: 'invalid_client' });
    else if (!this.#isGranted(fields)) response.status(400).json({ error: 'invalid_grant' });
    else response.json(this.#newTokens(this.#isRefreshable(fields)));
  }

  #isClient({ headers, body }: Request): boolean {
    const { client_id: id, client_secret: secret } = body as Record<string, string>;
    const basic = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    if (headers.authorization !== undefined) return headers.authorization === `Basic ${basic}`;
    return id === this.clientId && secret === this.clientSecret;
  }

  #isGranted(fields: Record<string, string>): boolean {
    switch (fields.grant_type) {
      case 'client_credentials':
        return true;
      case 'refresh_token':
        return this.isRotating
          ? this.#refreshTokens.delete(fields.refresh_token ?? '')
          : this.#refreshTokens.has(fields.refresh_token ?? '');
      case 'authorization_code': {
        const code = this.#codes.get(fields.code ?? '');
        this.#codes.delete(fields.code ?? '');
        return (
          code !== undefined &&
          code.redirectUri === fields.redirect_uri &&
          isProven(code, fields.code_verifier)
        );
      }
      case undefined:
      default:
        return false;
    }
  }

  #isRefreshable({ grant_type: grant }: Record<string, string>): boolean {
    return grant === 'authorization_code' || (grant === 'refresh_token' && this.isRotating);
  }

  #newTokens(isRefreshable: boolean): object {
    const [access, refresh] = [`ACCESS-${randomUUID()}`, `REFRESH-${randomUUID()}`];
    this.#accessTokens.add(access);
    if (isRefreshable) this.#refreshTokens.add(refresh);
    return {
      ...{ access_token: access, token_type: 'Bearer', expires_in: this.lifetimeS },
      ...(isRefreshable ? { refresh_token: refresh } : {}),
    };
  }
}

function isProven({ challenge }: Code, verifier = ''): boolean {
  return challenge === undefined || createHash('sha256').update(verifier).digest('base64url') === challenge;
}
