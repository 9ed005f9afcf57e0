import { AdkError } from '@skein/contracts';

const MAX_DEPTH = 64;
const MAX_VALUES = 250_000;

/**
 * Refuses JSON that is legal and yet harms: nesting beyond what Postgres' jsonb takes, so many values that checking them
 * would block the process, a key given twice (readers disagree on which counts), a number that reading would change.
 * It walks the text without recursion, so depth cannot overflow the stack. The text must have passed JSON.parse.
 */
export function scanJson(text: string): void {
  const keysByDepth: (Set<string> | undefined)[] = [];
  let values = 0;
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\],]/gsu;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [lexeme] = match;
    const first = lexeme.charAt(0);
    if (first === '{' || first === '[') {
      keysByDepth.push(first === '{' ? new Set() : undefined);
      if (keysByDepth.length > MAX_DEPTH) throw refusal(`JSON is nested deeper than ${MAX_DEPTH} levels`);
    } else if (first === '}' || first === ']') keysByDepth.pop();
    else if (first === ',') values++;
    else if (match[1] !== undefined) takeKey(keysByDepth.at(-1), lexeme.slice(0, -match[1].length));
    else if (first !== '"') takeNumber(lexeme);
    if (values > MAX_VALUES) throw refusal(`JSON holds more than ${MAX_VALUES} values`);
  }
}

function takeKey(keys: Set<string> | undefined, quoted: string): void {
  // Two spellings of one key, "a" and "\u0061", are one key.
  const key = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (keys?.has(key) === true) throw refusal('JSON holds an object with the same key twice');
  keys?.add(key);
}

function takeNumber(lexeme: string): void {
  const value = Number(lexeme);
  const isInteger = /^-?\d+$/.test(lexeme);
  if (Number.isFinite(value) && (!isInteger || Number.isSafeInteger(value))) return;
  throw refusal(`The number ${lexeme.slice(0, 40)} cannot be kept exactly; send it as text`);
}

function refusal(sentence: string): AdkError {
  return new AdkError('invalid', 'request.refused', sentence);
}
