import { AdkError } from '@skein/contracts';

const MAX_DEPTH = 64;
const MAX_VALUES = 250_000;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/gu;

/**
 * The value of a client's JSON. Refuses what would block the process that reads it, and what is legal and yet harms: a key given
 * twice (readers disagree on which counts), a number that reading would change, text that Postgres cannot hold. Throws
 * JSON's own error for what is none.
 */
export function readJson(text: string): unknown {
  const members = countMembers(text);
  const value: unknown = JSON.parse(text);
  if (!isPlain(text, value, members)) scanJson(text);
  return value;
}

/**
 * How many members its objects are given. Refuses nesting beyond what Postgres' jsonb takes, and too many values: only brackets,
 * commas, colons and quotes are looked at, so it comes before JSON.parse, which takes seconds for them.
 */
function countMembers(text: string): number {
  let depth = 0;
  let values = 0;
  let members = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') isInText = !isInText;
    else if (isInText) at += char === '\\' ? 1 : 0;
    else if (char === ':') members += 1;
    else if (char === '{' || char === '[') {
      values += 1;
      if (++depth > MAX_DEPTH) throw refusal(`JSON is nested deeper than ${MAX_DEPTH} levels`);
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',') values += 1;
    if (values > MAX_VALUES) throw refusal(`JSON holds more than ${MAX_VALUES} values`);
  }
  return members;
}

/**
 * Whether its value shows that nothing in it harms, as that of nearly all requests: the scan of the text takes several times as
 * long. Each member is in the value, so none was given twice.
 */
function isPlain(text: string, value: unknown, members: number): boolean {
  return !text.includes('\\u') && plainMembers(value) === members;
}

/** How many members there are; NaN with a number that may not be the one that was sent. */
function plainMembers(value: unknown): number {
  if (typeof value === 'number') return isExact(value) ? 0 : NaN;
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Object.values(value);
  return inner.reduce<number>(
    (members, each) => members + plainMembers(each),
    Array.isArray(value) ? 0 : inner.length,
  );
}

/** A whole number above what a double counts by ones may be another than was sent; one that is not finite certainly is. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function scanJson(text: string): void {
  const keysByDepth: (Set<string> | undefined)[] = [];
  for (const [lexeme, colon] of text.matchAll(TOKEN)) {
    const first = lexeme.charAt(0);
    if (first === '{') keysByDepth.push(new Set());
    else if (first === '[') keysByDepth.push(undefined);
    else if (first === '}' || first === ']') keysByDepth.pop();
    else if (first !== '"') takeNumber(lexeme);
    else if (colon === undefined) takeText(lexeme);
    else takeKey(keysByDepth.at(-1), takeText(lexeme.slice(0, -colon.length)));
  }
}

/** Only an escape can bring in NUL or a lone surrogate: raw, the one is not JSON and the other not UTF-8. */
function takeText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  const value = String(JSON.parse(quoted));
  if (value.includes('\0')) throw refusal('Text must not hold NUL characters');
  if (!value.isWellFormed()) throw refusal('Text must be well-formed Unicode, without lone surrogates');
  return value;
}

function takeKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key) === true) throw malformed('JSON holds an object with the same key twice');
  keys?.add(key);
}

function takeNumber(lexeme: string): void {
  const value = Number(lexeme);
  const isInteger = /^-?\d+$/.test(lexeme);
  if (Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value))) return;
  throw malformed(`The number ${lexeme.slice(0, 40)} cannot be kept exactly; send it as text`);
}

function refusal(sentence: string): AdkError {
  return new AdkError('invalid', 'request.refused', sentence);
}

function malformed(sentence: string): AdkError {
  return new AdkError('invalid', 'request.malformed', sentence);
}
