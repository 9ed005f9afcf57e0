import { type JsonValue } from '@skein/contracts';
import { aSession } from '@skein/testing';
import { Context } from '../agent/context';
import { FunctionTool } from './function-tool';
import { InProcessToolExecutor } from './in-process-tool-executor';

/** Runs a tool of this code, and keeps what it tells of its progress. */
async function execute(run: (context: Context) => unknown, aborted = new AbortController()) {
  const told: JsonValue[] = [];
  const scope = { invocationId: 'e-1', session: aSession(), agentName: 'root', signal: aborted.signal };
  const toolContext = new Context(scope, {
    functionCallId: 'c1',
    reporter: { progress: (value) => told.push(value), heartbeat: () => undefined },
  });
  const tool = new FunctionTool({
    name: 'stream',
    description: 'Streams.',
    execute: (_args, context) => run(context),
  });
  const call = { dispatchId: 'd', stepKey: '0/x', index: 0, callId: 'c1', agentName: 'root', tool, args: {} };
  const { outcome } = await new InProcessToolExecutor().execute(call, toolContext);
  return { outcome, told, toolContext };
}

describe('a tool whose code is a generator', () => {
  it('is run: what it yields is its progress, what it returns its result', async () => {
    const { outcome, told, toolContext } = await execute(async function* (context) {
      yield 'looking';
      context.state.set('looked', true);
      yield { found: await Promise.resolve(2) };
      return { total: 2 };
    });

    expect(outcome).toEqual({ kind: 'result', value: { total: 2 } });
    expect(told).toEqual(['looking', { found: 2 }]);
    expect(toolContext.actions.stateDelta).toEqual({ looked: true });
  });

  it('gives what it yielded last where it returns nothing, as a generator of ADK for Python, which cannot', async () => {
    const { outcome, told } = await execute(function* () {
      yield 'a';
      yield 'b';
    });

    expect(outcome).toEqual({ kind: 'result', value: 'b' });
    expect(told).toEqual(['a', 'b']);
  });

  it('gives null where it yields nothing either, and what it returned where that is null', async () => {
    const silent = await execute(async function* () {
      // Nothing to say.
    });
    const cleared = await execute(async function* () {
      yield 1;
      return null;
    });

    expect([silent.outcome, cleared.outcome]).toEqual([
      { kind: 'result', value: null },
      { kind: 'result', value: null },
    ]);
  });

  it('fails with what it throws, and with what cannot be told, and is ended', async () => {
    let isEnded = false;
    const threw = await execute(async function* () {
      yield 1;
      throw new Error('no more');
    });
    const untold = await execute(async function* () {
      try {
        yield 1n;
      } finally {
        isEnded = true;
      }
    });

    expect(threw.outcome).toEqual({ kind: 'error', code: 'tool.threw', message: 'no more' });
    expect(untold.outcome).toMatchObject({
      code: 'tool.threw',
      message: expect.stringContaining('A BigInt has no JSON form'),
    });
    expect(isEnded).toBe(true);
  });

  it('is ended at its next yield once the call is cancelled', async () => {
    const aborted = new AbortController();
    let isEnded = false;

    const { outcome, told } = await execute(async function* () {
      try {
        yield 1;
        aborted.abort(new Error('cancelled'));
        for (;;) yield 2;
      } finally {
        isEnded = true;
      }
    }, aborted);

    expect(outcome).toEqual({ kind: 'error', code: 'tool.threw', message: 'cancelled' });
    expect({ told, isEnded }).toEqual({ told: [1], isEnded: true });
  });
});

describe('a tool that returns a stream of another kind', () => {
  it.each([
    ['a ReadableStream', () => new ReadableStream()],
    ['an iterator of its own', () => ({ [Symbol.asyncIterator]: () => ({ next: () => ({ done: true }) }) })],
  ])('fails with a sentence that says so, rather than answer {}: %s', async (_what, give) => {
    const { outcome } = await execute(give);

    expect(outcome).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/returned a stream.*read it in the tool/),
    });
  });

  it('may return what is a stream and says its own JSON form', async () => {
    const stream = Object.assign(new ReadableStream(), { toJSON: () => 'read' });

    expect((await execute(() => stream)).outcome).toEqual({ kind: 'result', value: 'read' });
  });
});
