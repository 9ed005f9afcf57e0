import { setImmediate as nextTurn } from 'node:timers/promises';
import { AdkError, type ToolCallMessage } from '@skein/contracts';
import { type Delivery, type RpcClient } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { ToolDesk } from './tool-desk';

function aDesk(answer: (subject: string, body: unknown) => unknown): ToolDesk {
  const request = async (subject: string, _schema: unknown, body: unknown) => answer(subject, body);
  return new ToolDesk({ request } as unknown as RpcClient, silentLogger);
}

const delivery = {
  ...{ streamSequence: 7, deliveryCount: 3, startedBefore: 2 },
  signal: new AbortController().signal,
} as Delivery;
const message = {
  invocationId: 'e-1',
  call: { tool: 'pay' },
  ticket: { dispatchId: 'd-1' },
} as ToolCallMessage;

describe('ToolDesk', () => {
  it('row 28: tells the time to a deadline by the database, whose clock may be an hour ahead', async () => {
    const desk = aDesk(() => ({ nowMs: Date.now() + 3_600_000 }));

    expect(desk.remainingMs(0)).toBe(Infinity);
    desk.start();
    await nextTurn();
    desk.stop();

    const remainingMs = desk.remainingMs(Date.now() + 3_600_000 + 10_000);
    expect(remainingMs).toBeGreaterThan(8_000);
    expect(remainingMs).toBeLessThan(12_000);
  });

  it('leaves deadlines to session-svc while that is away', async () => {
    const desk = aDesk(() => {
      throw new AdkError('unavailable', 'rpc.no-responders', 'nobody');
    });

    desk.start();
    await nextTurn();
    desk.stop();

    expect(desk.remainingMs(0)).toBe(Infinity);
  });

  it('row 17: gives a call back until there is an answer, because nobody started it', async () => {
    const asked: unknown[] = [];
    const desk = aDesk((subject, body) => {
      asked.push({ subject, body });
      if (asked.length < 3) throw new AdkError('unavailable', 'rpc.no-responders', 'nobody');
      return { verdict: 'returned' };
    });

    expect(await desk.giveBack({ ...message, returned: 3 }, delivery, 'unknown')).toBe('returned');

    const body = { tool: 'pay', ticket: message.ticket, invocationId: 'e-1', reason: 'unknown', returned: 3 };
    const request = { subject: 'rpc.call.return', body: { ...body, started: 2 } };
    expect(asked).toEqual([request, request, request]);
  });

  it('takes a call that left while it was to be stored for over, once it never will be', async () => {
    let asked = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (asked < 2 ? 0 : 60_001));
    const desk = aDesk(() => {
      asked++;
      throw new AdkError('unavailable', 'call.early', 'not yet');
    });

    const given = desk.giveBack(message, delivery, 'unstarted').finally(() => clock.mockRestore());

    expect(await given).toBe('over');
    expect(asked).toBe(2);
  });

  it('does not give a call back any more when it is to end, or when it was refused', async () => {
    const stopped = { ...delivery, signal: AbortSignal.abort(new Error('it ends')) } as Delivery;
    const away = aDesk(() => {
      throw new AdkError('unavailable', 'rpc.no-responders', 'nobody');
    });
    const refusing = aDesk(() => {
      throw new AdkError('denied', 'call.forged', 'no');
    });

    await expect(away.giveBack(message, stopped, 'unstarted')).rejects.toThrow('it ends');
    await expect(refusing.giveBack(message, delivery, 'unknown')).rejects.toMatchObject({
      code: 'call.forged',
    });
  });

  it('row 28: asks for the time again after a second, until it was told once', async () => {
    jest.useFakeTimers();
    try {
      let asked = 0;
      const desk = aDesk(() => {
        asked += 1;
        if (asked < 3) throw new AdkError('unavailable', 'rpc.no-responders', 'nobody');
        return { nowMs: Date.now() };
      });

      desk.start();
      await jest.advanceTimersByTimeAsync(2_000);
      expect(desk.remainingMs(Date.now())).toBeCloseTo(0, -1);
      await jest.advanceTimersByTimeAsync(30_000);
      desk.stop();

      expect(asked).toBe(3);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('row 28: takes no time from an answer that was long under way, where it has a better one', async () => {
    jest.useFakeTimers();
    try {
      let asked = 0;
      const desk = aDesk(async () => {
        asked += 1;
        const nowMs = Date.now();
        if (asked === 2) await new Promise((resolve) => setTimeout(resolve, 4_000));
        return { nowMs };
      });

      desk.start();
      await jest.advanceTimersByTimeAsync(64_000);
      expect(desk.remainingMs(Date.now())).toBeCloseTo(0, -1);
      await jest.advanceTimersByTimeAsync(1_000);
      desk.stop();

      expect(asked).toBe(3);
    } finally {
      jest.useRealTimers();
    }
  });

  it('asks for a call that may run once until there is an answer, as the same handler', async () => {
    const asked: unknown[] = [];
    const desk = aDesk((_subject, body) => {
      asked.push(body);
      if (asked.length < 3) throw new AdkError('deadline', 'rpc.timeout', 'late');
      return { verdict: 'run' };
    });

    expect(await desk.begin(message, delivery)).toEqual({ verdict: 'run' });

    const request = { invocationId: 'e-1', tool: 'pay', ticket: message.ticket, message: '7' };
    expect(asked[0]).toEqual({ ...request, handler: expect.any(String) });
    expect(asked).toEqual([asked[0], asked[0], asked[0]]);
  });

  it('row 16: asks as another handler when the stream forgot its count and delivers a message anew', async () => {
    const asked: unknown[] = [];
    const desk = aDesk((_subject, body) => {
      asked.push((body as { handler: string }).handler);
      return { verdict: 'run' };
    });

    await desk.begin(message, delivery);
    await desk.begin(message, delivery);

    expect(new Set(asked).size).toBe(2);
  });
});
