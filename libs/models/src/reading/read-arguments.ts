import { type FunctionCall } from '@skein/contracts';
import { BoundedValues } from './bounded-values';
import { isRecord } from './is-record';

/**
 * The arguments of a call as a model wrote them. What is no JSON object is kept as it is: the engine answers such a call with
 * an error that the model reads, and the run goes on. Throws `model.too-large`, before any of it is parsed.
 */
export function readArguments(
  written: string | Readonly<Record<string, unknown>> | null | undefined,
): Pick<FunctionCall, 'args' | 'malformedArgs'> {
  // Parsed JSON already, where it is no text.
  if (isRecord(written)) return { args: written };
  const text = written ?? '';
  // Servers send nothing, or `null`, for a call without arguments.
  if (text.trim() === '') return { args: {} };
  let value: unknown;
  try {
    value = parseWithin(text);
    // Some write the JSON of a text that holds the JSON.
    if (typeof value === 'string') value = parseWithin(value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { args: {}, malformedArgs: text };
  }
  if (value === null) return { args: {} };
  return isRecord(value) ? { args: value } : { args: {}, malformedArgs: text };
}

/** Of a call whose arguments came as JSON: whatever a provider's types say, servers send what a model wrote. */
export function argumentsOf(input: unknown): ReturnType<typeof readArguments> {
  return readArguments(isRecord(input) || typeof input === 'string' ? input : JSON.stringify(input ?? null));
}

function parseWithin(text: string): unknown {
  new BoundedValues().add(Buffer.from(text));
  return JSON.parse(text);
}
