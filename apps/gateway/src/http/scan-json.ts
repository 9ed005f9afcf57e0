import { AdkError } from '@skein/contracts';

const MAX_DEPTH = 64;
const MAX_VALUES = 250_000;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/gu;

/**
 * Refuses JSON whose reading alone would block the process: nesting beyond what Postgres' jsonb takes, and too many
 * values. Only brackets, commas and quotes are looked at, so it comes before JSON.parse, which takes seconds for them.
 */
export function assertBounded(text: string): void {
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') isInText = !isInText;
    else if (isInText) at += char === '\\' ? 1 : 0;
    else if (char === '{' || char === '[') {
      values += 1;
      if (++depth > MAX_DEPTH) throw refusal(`JSON is nested deeper than ${MAX_DEPTH} levels`);
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',') values += 1;
    if (values > MAX_VALUES) throw refusal(`JSON holds more than ${MAX_VALUES} values`);
  }
}

/**
 * Refuses JSON that is legal and yet harms: a key given twice (readers disagree on which counts), a number that reading
 * would change, text that Postgres cannot hold. The text must have passed JSON.parse.
 */
export function scanJson(text: string): void {
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
