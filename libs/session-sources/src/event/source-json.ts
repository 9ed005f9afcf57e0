import { AdkError } from '@skein/contracts';
import { cleanJson } from '@skein/engine';
import { RowProblem } from '../session-source';

/** Far above what cleanJson takes; it only keeps the walk below off the end of the stack. */
const MAX_WALK = 500;

/** A JSON object as Skein may store it, its keys in the order jsonb keeps them; a RowProblem tells what is wrong. */
export function parseSourceObject(
  text: string,
  { repairs }: { readonly repairs: boolean },
): Record<string, unknown> {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RowProblem('is not a JSON object');
  }
  if (!repairs) assertExact(text);
  return clean(value, repairs) as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Its message quotes what it stumbled over, which may be anybody's words.
    const at = /position \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    throw new RowProblem(`is not JSON${at === undefined ? '' : ` (at ${at})`}`, { cause: error });
  }
}

/** Digits outside of texts, quotes, and what is escaped in texts. */
const TOKENS = /\\.|"|(?<![\d.])-?\d{16,}(?![\d.eE])/gs;

/** Python counts on where JavaScript rounds. */
function assertExact(text: string): void {
  if (!/\d{16}/.test(text)) return;
  let isInText = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '"') isInText = !isInText;
    if (isInText || !/\d$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    throw new RowProblem(
      `holds the number ${token.slice(0, 40)}, which JavaScript does not hold exactly (--repair rounds it)`,
    );
  }
}

function clean(value: object, repairs: boolean): unknown {
  if (!repairs) assertStorable(value, []);
  try {
    return cleanJson(value);
  } catch (error) {
    if (!AdkError.isInstance(error)) throw error;
    throw new RowProblem(`cannot be stored: ${error.message}`, { cause: error });
  }
}

/** Postgres stores neither a NUL nor half a surrogate pair; both are told of rather than replaced. A text of broken bytes has halves. */
function assertStorable(value: unknown, path: readonly (string | number)[]): void {
  if (path.length > MAX_WALK) throw new RowProblem(`is nested deeper than ${MAX_WALK} levels`);
  if (typeof value === 'string') assertText(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    assertText(key, path);
    assertStorable(item, [...path, key]);
  }
}

const NUL = 'a NUL character';

function assertText(text: string, path: readonly (string | number)[]): void {
  const what = text.includes('\0') ? NUL : text.isWellFormed() ? undefined : 'half a surrogate pair';
  if (what === undefined) return;
  const where = path.join('.') || 'a key';
  const other = what === NUL ? '' : ', or bytes that are not UTF-8';
  throw new RowProblem(`holds ${what} in ${where}${other} (--repair replaces it by U+FFFD)`);
}
