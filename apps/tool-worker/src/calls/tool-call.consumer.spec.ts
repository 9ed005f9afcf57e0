import {
  type AgainVerdict,
  AdkError,
  type BegunTool,
  type ReturnedCall,
  type ToolCallMessage,
  type ToolPolicy,
} from '@skein/contracts';
import { type Delivery, Paced } from '@skein/messaging';
import { Metrics, silentLogger } from '@skein/platform';
import { CancelledCalls } from './cancelled-calls';
import { ToolCallConsumer } from './tool-call.consumer';
import { RunningCalls } from './running-calls';
import { ToolCatalog, type RunnableTool } from '../catalog/tool-catalog';
import { type ToolDesk } from './tool-desk';
import { ToolMetrics } from '../tool-metrics';
import { type ToolPublisher } from './tool-publisher';

type Found = RunnableTool | undefined | AdkError | (() => Promise<undefined>);

class OneToolCatalog extends ToolCatalog {
  constructor(private readonly tool: Found) {
    super();
  }

  override async find(): Promise<RunnableTool | undefined> {
    if (this.tool instanceof AdkError) throw this.tool;
    return typeof this.tool === 'function' ? this.tool() : this.tool;
  }
}

const published: unknown[] = [];
const handedBack: { delivery: Delivery; reason: string }[] = [];

let cancelledCalls = new CancelledCalls();

const publisher = {
  publishResult: async (_message: ToolCallMessage, result: unknown) => void published.push(result),
  progressOf: () => new Paced(50, () => undefined),
} as Pick<ToolPublisher, 'publishResult' | 'progressOf'> as ToolPublisher; // All of it that is used.

/** What session-svc says of calls that may run once, and of the time. */
function aDesk(
  verdict: BegunTool['verdict'] = 'run',
  remainingMs = 60_000,
  returned: ReturnedCall['verdict'] = 'returned',
  again?: AgainVerdict,
): { desk: ToolDesk; begun: number[] } {
  const begun: number[] = [];
  const desk = {
    remainingMs: () => remainingMs,
    begin: async (_message: ToolCallMessage, { deliveryCount }: Delivery) => {
      begun.push(deliveryCount);
      return { verdict };
    },
    again: async () => again ?? { verdict: 'run' as const },
    giveBack: async (_message: ToolCallMessage, delivery: Delivery, reason: string) => {
      handedBack.push({ delivery, reason });
      return returned;
    },
  } as Pick<ToolDesk, 'remainingMs' | 'begin' | 'again' | 'giveBack'> as ToolDesk; // All of it that is used.
  return { desk, begun };
}

function aConsumer(
  tool: Found,
  { desk }: { desk: ToolDesk } = aDesk(),
  running = new RunningCalls(),
): ToolCallConsumer {
  return new ToolCallConsumer(
    new OneToolCatalog(tool),
    publisher,
    desk,
    {
      worker: 'tool-worker-1',
      logger: silentLogger,
      metrics: new ToolMetrics(new Metrics()),
      running,
      resultLimitBytes: 1_000_000,
    },
    cancelledCalls,
  );
}

function aCall(policy: Partial<ToolPolicy> = {}): ToolCallMessage {
  const dispatchId = `d-${'0'.repeat(32)}`;
  return {
    appName: 'app',
    userId: 'ada',
    sessionId: 's',
    invocationId: 'e-1',
    call: {
      dispatchId,
      stepKey: '0/agent#0/tools#0',
      index: 0,
      callId: 'c1',
      agentName: 'agent',
      tool: 'probe',
      pool: 'default',
      args: { city: 'Oslo' },
      policy: { timeoutMs: 10_000, maxAttempts: 3, sideEffect: 'idempotent', ...policy },
    },
    ticket: { dispatchId, attempt: 1, deadlineMs: 1, hmac: 'h' },
    state: {},
  };
}

function aDelivery({
  deliveryCount = 1,
  startedBefore = undefined as number | undefined,
  signal = new AbortController().signal,
} = {}): Delivery {
  return {
    deliveryCount,
    startedBefore: startedBefore ?? deliveryCount - 1,
    streamSequence: 1,
    storedAtMs: Date.now(),
    subject: 'tool.default.normal',
    header: () => undefined,
    stopping: new AbortController().signal,
    signal,
    aside: (wait) => wait(),
  };
}

function outcome(): unknown {
  expect(published).toHaveLength(1);
  return (published[0] as { outcome: unknown }).outcome;
}

describe('a tool call', () => {
  beforeEach(() => {
    cancelledCalls = new CancelledCalls();
    published.length = 0;
    handedBack.length = 0;
  });

  it('is run with its arguments, and its result says which process ran it', async () => {
    const tool = { run: async ({ message }: { message: ToolCallMessage }) => message.call.args };

    await aConsumer(tool).handle(aCall(), aDelivery({ deliveryCount: 2 }));

    expect(published).toEqual([
      {
        outcome: { kind: 'result', value: { city: 'Oslo' } },
        actions: expect.objectContaining({ stateDelta: {} }) as unknown,
        execution: {
          worker: 'tool-worker-1',
          pid: process.pid,
          attempt: 2,
          durationMs: expect.any(Number) as number,
        },
      },
    ]);
  });

  it('ends at the timeout of its policy, and its tool is told', async () => {
    let reason: unknown;
    const tool = {
      run: ({ signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(new Error('stopped by the signal'));
          });
        }),
    };

    await aConsumer(tool).handle(aCall({ timeoutMs: 5 }), aDelivery());

    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.timeout' });
    expect(reason).toHaveProperty('name', 'TimeoutError');
  });

  it('is left to another worker when this one stops before the tool is done', async () => {
    const stopping = new AbortController();
    const tool = {
      run: () => {
        stopping.abort();
        return new Promise(() => undefined);
      },
    };

    const handled = aConsumer(tool).handle(aCall(), aDelivery({ signal: stopping.signal }));

    await expect(handled).rejects.toMatchObject({ kind: 'unavailable', code: 'worker.stopping' });
    expect(published).toEqual([]);
  });

  it.each([
    ['its deadline has passed', aCall(), aDelivery(), aDesk('run', 0), 'tool.deadline'],
    [
      'its attempts are spent',
      aCall({ maxAttempts: 2 }),
      aDelivery({ deliveryCount: 3 }),
      aDesk('run', 60_000, 'returned', { verdict: 'spent', attempt: 2 }),
      'tool.attempts-spent',
    ],
    [
      'workers died of it before it was handed back (row 33)',
      aCall({ maxAttempts: 2 }),
      aDelivery({ startedBefore: 2 }),
      aDesk('run', 60_000, 'returned', { verdict: 'spent', attempt: 2 }),
      'tool.attempts-spent',
    ],
    [
      'it may run once and was begun before (row 9)',
      aCall({ sideEffect: 'once' }),
      aDelivery({ deliveryCount: 2 }),
      aDesk('lost'),
      'tool.outcome-unknown',
    ],
  ])('is answered without being run when %s', async (_, call, delivery, desk, code) => {
    const run = jest.fn();

    await aConsumer({ run }, desk).handle(call, delivery);

    expect(outcome()).toMatchObject({ kind: 'error', code });
    expect(run).not.toHaveBeenCalled();
  });

  it('row 9: that may run once is run when it was delivered before and not begun', async () => {
    const desk = aDesk();
    const run = jest.fn(async () => 'done');

    await aConsumer({ run }, desk).handle(
      aCall({ sideEffect: 'once', maxAttempts: 1 }),
      aDelivery({ deliveryCount: 2 }),
    );

    expect(desk.begun).toEqual([2]);
    expect(run).toHaveBeenCalledTimes(1);
    expect(outcome()).toEqual({ kind: 'result', value: 'done' });
  });

  it.each(['taken', 'over'] as const)(
    'row 20: that may run once is left alone, and not answered, when it is %s',
    async (verdict) => {
      const run = jest.fn();

      await aConsumer({ run }, aDesk(verdict)).handle(aCall({ sideEffect: 'once' }), aDelivery());

      expect(run).not.toHaveBeenCalled();
      expect(published).toEqual([]);
    },
  );

  it('row 28: has the time its deadline leaves by the clock of the database, whatever the wall clock says', async () => {
    jest.useFakeTimers({ now: Date.now() + 3_600_000 });
    try {
      await aConsumer({ run: async () => 'in time' }, aDesk('run', 5_000)).handle(aCall(), aDelivery());
    } finally {
      jest.useRealTimers();
    }

    expect(outcome()).toEqual({ kind: 'result', value: 'in time' });
  });

  it('is handed back when this worker does not know the tool, and not answered', async () => {
    const delivery = aDelivery();

    await aConsumer(undefined).handle(aCall(), delivery);

    expect(handedBack).toEqual([{ delivery, reason: 'unknown' }]);
    expect(published).toEqual([]);
  });

  it('is answered when no worker is known to have its tool', async () => {
    await aConsumer(undefined, aDesk('run', 60_000, 'unknown')).handle(aCall(), aDelivery());

    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.unknown' });
  });

  it('says what is wrong with an app that does not load', async () => {
    const broken = new AdkError('invalid', 'agent.load-failed', 'agent.ts:3 has a typing error');

    await aConsumer(broken, aDesk('run', 60_000, 'unknown')).handle(aCall(), aDelivery());

    expect(outcome()).toMatchObject({
      code: 'tool.unknown',
      message: expect.stringContaining('agent.ts:3') as string,
    });
  });

  it('row 40: is ended when its run is cancelled, also when the tool does not listen', async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const signals: AbortSignal[] = [];
    const run = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      begin();
      return new Promise(() => undefined);
    };

    const handled = aConsumer({ run }).handle(aCall(), aDelivery());
    await begun;
    cancelledCalls.cancel('e-other');
    expect(published).toEqual([]);
    cancelledCalls.cancel('e-1');
    await handled;

    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.cancelled' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('row 40: is not begun when its run was cancelled before it came', async () => {
    const run = jest.fn();
    cancelledCalls.cancel('e-1');

    await aConsumer({ run }).handle(aCall(), aDelivery());

    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.cancelled' });
    expect(run).not.toHaveBeenCalled();
  });

  it('row 40: is announced as running, and ended when cancelled, while its tool is looked for', async () => {
    const running = new RunningCalls();
    const endless = (): Promise<undefined> => new Promise(() => undefined);
    const handled = aConsumer(endless, aDesk(), running).handle(aCall(), aDelivery());

    expect(running.inPool('default')).toBe(1);
    cancelledCalls.cancel('e-1');
    await handled;

    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.cancelled' });
    expect(running.inPool('default')).toBe(0);
  });

  it('whose toolset is away for now is tried again by the rules of its tool, not handed about', async () => {
    const away = new AdkError('unavailable', 'tool.unknown', 'a toolset is away', { retryAfterMs: 700 });

    await aConsumer(away, aDesk('run', 60_000, 'unknown')).handle(aCall(), aDelivery());

    expect(handedBack).toMatchObject([{ reason: 'away' }]);
    expect(published).toEqual([expect.objectContaining({ retry: { afterMs: 700 } })]);
    expect(outcome()).toMatchObject({ kind: 'error', code: 'tool.unknown' });
  });

  it('whose toolset is away goes to the worker that names the tool, where there is one', async () => {
    const away = new AdkError('unavailable', 'tool.unknown', 'a toolset is away');

    await aConsumer(away).handle(aCall(), aDelivery());

    expect(handedBack).toHaveLength(1);
    expect(published).toEqual([]);
  });
});
