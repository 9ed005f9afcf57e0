import { AdkError } from '@skein/contracts';
import { type Context } from '../agent/context';

type AnyGenerator = Generator<unknown, unknown> | AsyncGenerator<unknown, unknown>;

const GENERATORS = ['[object AsyncGenerator]', '[object Generator]'];

/**
 * What a tool's function gave, where that may be a generator: it is run, what it yields is told as the call's progress, and what
 * it returns is the result, or, where that is nothing, what it yielded last. Rejects with `tool.unserialisable` for another stream.
 */
export async function settled(tool: string, given: unknown, toolContext: Context): Promise<unknown> {
  const value = await given;
  if (typeof value !== 'object' || value === null) return value;
  if (isGenerator(value)) return run(value, toolContext);
  if (Symbol.asyncIterator in value && !('toJSON' in value)) throw noResult(tool);
  return value;
}

async function run(generator: AnyGenerator, toolContext: Context): Promise<unknown> {
  let last: unknown;
  for (;;) {
    const { done, value } = await generator.next();
    if (done) return value === undefined ? last : value;
    try {
      last = await value;
      toolContext.signal.throwIfAborted();
      // Outside of a call nobody listens.
      if (toolContext.functionCallId !== undefined) toolContext.progress(last);
    } catch (error) {
      // Its `finally` runs; what that throws would hide why.
      await Promise.resolve(generator.return(undefined)).catch(() => undefined);
      throw error;
    }
  }
}

function isGenerator(value: object): value is AnyGenerator {
  return GENERATORS.includes(Object.prototype.toString.call(value));
}

function noResult(tool: string): AdkError {
  return new AdkError(
    'invalid',
    'tool.unserialisable',
    `Tool '${tool}' returned a stream, which is no result: read it in the tool, or let its code be a generator.`,
  );
}
