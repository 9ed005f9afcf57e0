import { AdkError } from '@skein/contracts';

const MAX_DEPTH = 64;
const MAX_VALUES = 250_000;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\],]/gu;

/**
 * Refuses JSON that is legal and yet harms: nesting beyond what Postgres' jsonb takes, so many values that checking them
 * would block the process, a key given twice (readers disagree on which counts), a number that reading would change,
 * text that Postgres cannot hold. Walks the text without recursion, so no depth overflows the stack.
 * The text must have passed JSON.parse.
 */
export function scanJson(text: string): void {
  const keysByDepth: (Set<string> | undefined)[] = [];
  let values = 0;
  for (const [lexeme, colon] of text.matchAll(TOKEN)) {
    const first = lexeme.charAt(0);
    if (first === '{' || first === '[') {
      keysByDepth.push(first === '{' ? new Set() : undefined);
      values++;
      if (keysByDepth.length > MAX_DEPTH) throw refusal(`JSON is nested deeper than ${MAX_DEPTH} levels`);
    } else if (first === '}' || first === ']') keysByDepth.pop();
    else if (first === ',') values++;
    else if (first !== '"') takeNumber(lexeme);
    else if (colon === undefined) takeText(lexeme);
    else takeKey(keysByDepth.at(-1), takeText(lexeme.slice(0, -colon.length)));
    if (values > MAX_VALUES) throw refusal(`JSON holds more than ${MAX_VALUES} values`);
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
