import { LRUCache } from 'lru-cache';
import { type OAuthToken } from './token-endpoint';

const MAX_TOKENS = 1_000;

/** Tokens this process asked for, by what it asked: who asks the same meanwhile, or while it is good, gets that one. */
export class AskedTokens {
  readonly #tokens = new LRUCache<string, Promise<OAuthToken>>({ max: MAX_TOKENS });

  async get(key: string, ask: () => Promise<OAuthToken>): Promise<OAuthToken> {
    const known = this.#tokens.get(key);
    const token = await known;
    if (token && isGood(token)) return token;
    // Another one may have asked anew meanwhile.
    const newer = this.#tokens.get(key);
    if (newer !== undefined && newer !== known) return newer;
    const asked = ask();
    this.#tokens.set(key, asked);
    asked.catch(() => this.#tokens.delete(key));
    return asked;
  }

  /** Gives a token that its API would not have to nobody else; one that was asked for meanwhile stays. */
  forget(key: string, { accessToken }: OAuthToken): void {
    const known = this.#tokens.get(key);
    const drop = (token: OAuthToken): void => {
      if (token.accessToken === accessToken && this.#tokens.get(key) === known) this.#tokens.delete(key);
    };
    known?.then(drop, () => undefined);
  }
}

/** Whether a token may still be sent; one whose end nobody told of is tried. */
export function isGood({ goodUntilMs = Infinity }: OAuthToken): boolean {
  return Date.now() < goodUntilMs;
}
