const PLAIN = /^[a-zA-Z0-9-]+$/;
const UTF8 = '_';
const UTF16 = '=';

/**
 * Makes any text one token of a NATS subject. Letters, digits and `-` stay as they are; anything else becomes `_` and
 * the base64url of its UTF-8, so `decode(encode(x)) = x`, no two texts share a token, and no token holds `.`, `*`, `>`
 * or white space. `a.b` would otherwise be two tokens, and `a..b` is silently never delivered. Text with a lone
 * surrogate has no UTF-8, so it goes by its code units under a mark of its own.
 */
export function subjectToken(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.isWellFormed()
    ? UTF8 + Buffer.from(text, 'utf8').toString('base64url')
    : UTF16 + Buffer.from(text, 'utf16le').toString('base64url');
}

/** The text a token was made of. */
export function fromSubjectToken(token: string): string {
  if (token.startsWith(UTF8)) return Buffer.from(token.slice(1), 'base64url').toString('utf8');
  if (token.startsWith(UTF16)) return Buffer.from(token.slice(1), 'base64url').toString('utf16le');
  return token;
}
