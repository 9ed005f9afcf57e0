import {
  type AgainVerdict,
  type ReturnReason,
  type StoredVerdict,
  type ToolCallMessage,
} from '@skein/contracts';
import { type Delivery, Paced } from '@skein/messaging';
import { Metrics, silentLogger } from '@skein/platform';

import { CancelledCalls } from './cancelled-calls';
import { RunningCalls } from './running-calls';
import { type RunnableTool, ToolCatalog } from '../catalog/tool-catalog';
import { ToolCallConsumer } from './tool-call.consumer';
import { type ToolDesk } from './tool-desk';
import { ToolMetrics } from '../tool-metrics';
import { type ExecutedTool, planeError } from './tool-outcome';
import { type ToolPublisher } from './tool-publisher';

class OneToolCatalog extends ToolCatalog {
  constructor(private readonly tool: RunnableTool) {
    super();
  }

  override known(): RunnableTool {
    return this.tool;
  }

  override async find(): Promise<RunnableTool> {
    return this.tool;
  }
}

const published: unknown[] = [];
const publisher = {
  publishResult: async (_message: ToolCallMessage, result: unknown) => void published.push(result),
  progressOf: () => new Paced(50, () => undefined),
} as Pick<ToolPublisher, 'publishResult' | 'progressOf'> as ToolPublisher; // All of it that is used.

/** What session-svc says of calls that come again; by itself it counts deliveries. */
function aDesk(
  again?: AgainVerdict,
  storedVerdict: () => Promise<StoredVerdict> = async () => 'stored',
): { desk: ToolDesk; beside: number[]; handedBack: ReturnReason[] } {
  const beside: number[] = [];
  const handedBack: ReturnReason[] = [];
  const desk = {
    remainingMs: () => 60_000,
    storedVerdict,
    again: async ({ ticket }: ToolCallMessage, { startedBefore }: Delivery, others: number) => {
      beside.push(others);
      return again ?? { verdict: 'run', attempt: ticket.attempt + startedBefore };
    },
    giveBack: async (_message: ToolCallMessage, _delivery: Delivery, reason: ReturnReason) => {
      handedBack.push(reason);
      return 'returned';
    },
  } as Pick<ToolDesk, 'remainingMs' | 'again' | 'storedVerdict' | 'giveBack'> as ToolDesk; // All of it that is used.
  return { desk, beside, handedBack };
}

function aConsumer(tool: RunnableTool, { desk }: { desk: ToolDesk }): ToolCallConsumer {
  const settings = {
    ...{ worker: 'tool-worker-1', logger: silentLogger, resultLimitBytes: 1_000_000 },
    ...{ metrics: new ToolMetrics(new Metrics()), running: new RunningCalls() },
  };
  return new ToolCallConsumer(new OneToolCatalog(tool), publisher, desk, settings, new CancelledCalls());
}

function aCall(): ToolCallMessage {
  const dispatchId = `d-${'0'.repeat(32)}`;
  return {
    ...{ appName: 'app', userId: 'ada', sessionId: 's', invocationId: 'e-1', state: {} },
    call: {
      ...{
        dispatchId,
        stepKey: 'k',
        index: 0,
        callId: 'c1',
        agentName: 'agent',
        tool: 'probe',
        pool: 'default',
      },
      args: {},
      policy: { timeoutMs: 10_000, maxAttempts: 3, sideEffect: 'idempotent' },
    },
    ticket: { dispatchId, attempt: 1, deadlineMs: 1, hmac: 'h' },
  };
}

function aDelivery({ deliveryCount = 1 } = {}): Delivery {
  const { signal } = new AbortController();
  return {
    ...{ deliveryCount, startedBefore: deliveryCount - 1, streamSequence: 1, storedAtMs: Date.now() },
    ...{ subject: 'tool.default.normal', header: () => undefined, stopping: signal, signal },
    aside: (wait) => wait(),
  };
}

describe('a call', () => {
  beforeEach(() => {
    published.length = 0;
  });

  it('that came before is run as the start that session-svc counts, however often it was delivered', async () => {
    const desk = aDesk({ verdict: 'run', attempt: 2 });

    await aConsumer({ run: async () => 'done' }, desk).handle(aCall(), aDelivery({ deliveryCount: 7 }));

    expect(published).toMatchObject([{ outcome: { kind: 'result' }, execution: { attempt: 2 } }]);
  });

  it('that comes back under a later attempt is asked for before it is run; one that failed and is tried again is not', async () => {
    const desk = aDesk();
    const consumer = aConsumer({ run: async () => 'done' }, desk);
    const second = { ...aCall(), ticket: { ...aCall().ticket, attempt: 2 } };

    await consumer.handle(second, aDelivery());
    expect(desk.beside).toEqual([]);
    await consumer.handle({ ...second, returned: 1 }, aDelivery());

    expect(desk.beside).toEqual([0]);
    expect(published).toMatchObject([{ execution: { attempt: 2 } }, { execution: { attempt: 2 } }]);
  });

  it('row 33: that came before says how many of its kind run beside it', async () => {
    const desk = aDesk();
    let finish: (value: string) => void = () => undefined;
    const waiting = new Promise((resolve) => (finish = resolve));
    const consumer = aConsumer({ run: () => waiting }, desk);
    const again = aDelivery({ deliveryCount: 2 });

    const handled = [
      consumer.handle(aCall(), aDelivery()),
      consumer.handle(aCall(), again),
      consumer.handle(aCall(), again),
    ];
    finish('done');
    await Promise.all(handled);
    await consumer.handle(aCall(), again);

    expect(desk.beside).toEqual([0, 1, 0]);
  });

  it.each(['returned', 'over'] as const)(
    'row 33: that came before is left alone when it is %s',
    async (verdict) => {
      const run = jest.fn();

      await aConsumer({ run }, aDesk({ verdict })).handle(aCall(), aDelivery({ deliveryCount: 2 }));

      expect(run).not.toHaveBeenCalled();
      expect(published).toEqual([]);
    },
  );

  it('row 33: is no company where it runs in a process of its own', async () => {
    const desk = aDesk();
    const runIsolated = async (): Promise<ExecutedTool> => planeError('tool.exited', 'It ended its process.');
    const consumer = aConsumer({ run: async () => 'done', runIsolated }, desk);
    const again = aDelivery({ deliveryCount: 2 });

    await Promise.all([consumer.handle(aCall(), again), consumer.handle(aCall(), again)]);

    expect(desk.beside).toEqual([0, 0]);
  });
});

describe('a tool call that came while it is stored', () => {
  beforeEach(() => (published.length = 0));

  it.each([
    ['stored', 1],
    ['refused', 0],
  ] as const)('begins once that is known, and where it is: %s', async (verdict, runs) => {
    const run = jest.fn(async () => ({ outcome: { kind: 'result' as const, value: 'ran' } }));
    let tell: (verdict: StoredVerdict) => void = () => undefined;
    const desk = aDesk(undefined, () => new Promise((resolve) => (tell = resolve)));

    const handled = aConsumer({ run }, desk).handle({ ...aCall(), askStored: 'stored.one' }, aDelivery());
    await new Promise(setImmediate);
    expect(run).not.toHaveBeenCalled();
    tell(verdict);
    await handled;

    expect([run.mock.calls.length, published.length, desk.handedBack]).toEqual([runs, runs, []]);
  });

  it('is handed back, as one that was not begun, where its worker ends before that is known', async () => {
    const run = jest.fn();
    const desk = aDesk(undefined, async () => 'unknown');

    await aConsumer({ run }, desk).handle({ ...aCall(), askStored: 'stored.one' }, aDelivery());

    expect([run.mock.calls.length, published, desk.handedBack]).toEqual([0, [], ['unstarted']]);
  });
});
