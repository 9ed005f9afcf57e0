import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What a sealed text is good for: opened for anything else it is void. */
export interface SealedFor {
  /** Who knows it can open what was sealed with it. */
  readonly secret: string;
  readonly purpose: readonly string[];
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A value as a text that may be stored and shown: only who has the secret reads it, and for the same purpose alone. */
export function seal(value: unknown, { secret, purpose }: SealedFor): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), iv).setAAD(Buffer.from(JSON.stringify(purpose)));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Nothing for what was not sealed with this secret and for this purpose. */
export function unseal(text: string, { secret, purpose }: SealedFor): unknown {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret), bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(JSON.stringify(purpose)));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(plain.toString('utf8')) as unknown;
  } catch {
    // A client may write the state of its session: what it made up is as good as nothing.
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'skein oauth token', 32));
}
