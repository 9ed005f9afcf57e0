import { AdkError, type JsonValue, MAX_JSON_DEPTH } from '@skein/contracts';

/** One piece of a call's arguments, in google-genai's form: a value for the place that a JSON path names. */
export interface PartialArg {
  readonly jsonPath?: string;
  readonly stringValue?: string;
  readonly numberValue?: number;
  readonly boolValue?: boolean;
  readonly nullValue?: unknown;
}

/** A path may be as long as an answer. */
const MAX_QUOTED = 500;

type Container = Record<string, JsonValue> | JsonValue[];
type Step = string | number;

const STEP = /\.?([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/gy;

/**
 * Puts a piece into the arguments so far: text goes behind the text that is there, anything else into its place. Throws
 * `model.bad-answer` for a place that cannot be.
 */
export function addPartialArg(args: Record<string, JsonValue>, piece: PartialArg): void {
  const value = valueOf(piece);
  if (!piece.jsonPath || value === undefined) return;
  const path = stepsOf(piece.jsonPath);
  const last = path.pop();
  if (last === undefined || path.length >= MAX_JSON_DEPTH) throw misplaced(piece.jsonPath);
  let container: Container = args;
  for (const [index, step] of path.entries()) {
    container = containerAt(container, step, typeof (path[index + 1] ?? last) === 'number', piece.jsonPath);
  }
  const before = read(container, last);
  const isContinued = typeof before === 'string' && typeof value === 'string';
  write(container, last, isContinued ? before + value : value, piece.jsonPath);
}

function valueOf({ stringValue, numberValue, boolValue, nullValue }: PartialArg): JsonValue | undefined {
  const value = stringValue ?? numberValue ?? boolValue;
  if (value !== undefined) return value;
  return nullValue === undefined || nullValue === null ? undefined : null;
}

/** `$.a.b[0]['c d']` as its steps. */
function stepsOf(jsonPath: string): Step[] {
  const path = jsonPath.replace(/^\$/, '');
  const steps: Step[] = [];
  let end = 0;
  for (const [match, name, index, single, double] of path.matchAll(STEP)) {
    end += match.length;
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
  }
  if (end !== path.length) throw misplaced(jsonPath);
  return steps;
}

function containerAt(container: Container, step: Step, isList: boolean, jsonPath: string): Container {
  const found = read(container, step);
  if (typeof found === 'object' && found !== null) return found as Container;
  const made: Container = isList ? [] : {};
  write(container, step, made, jsonPath);
  return made;
}

function read(container: Container, step: Step): JsonValue | undefined {
  // Own keys alone: a path may name `__proto__`.
  return Object.hasOwn(container, step) ? (container as Record<Step, JsonValue>)[step] : undefined;
}

function write(container: Container, step: Step, value: JsonValue, jsonPath: string): void {
  const isList = Array.isArray(container);
  // A list grows item by item; a far index would make one of billions.
  if (isList !== (typeof step === 'number') || (isList && Number(step) > container.length))
    throw misplaced(jsonPath);
  Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true });
}

function misplaced(jsonPath: string): AdkError {
  return new AdkError(
    'unavailable',
    'model.bad-answer',
    `The model's answer has an argument in a place that cannot be: ${jsonPath.slice(0, MAX_QUOTED)}`,
  );
}
