import { randomUUID } from 'node:crypto';
import { type AgainCall, type Handover } from '@skein/contracts';
import { type BeginAgain, beginAgain, mintTicket, returnCall } from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();

interface Sent {
  readonly run: Handover;
  readonly dispatchId: string;
}

async function aSentCall(maxAttempts: number): Promise<Sent> {
  const run = await startRun(store.pool, aKey());
  const call = aCall({ policy: { timeoutMs: 1_000, maxAttempts, sideEffect: 'idempotent' } });
  await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  return { run, dispatchId: call.dispatchId };
}

type Asked = Partial<Omit<AgainCall, 'ticket'>> & { readonly attempt?: number };

function requestOf({ run, dispatchId }: Sent, { attempt = 1, ...asked }: Asked): AgainCall {
  const { invocationId } = run;
  return {
    ...{ tool: 'add', invocationId, handler: randomUUID(), returned: 0, started: 1, beside: 0, ...asked },
    ticket: mintTicket(SECRET, 'add', { dispatchId, attempt, deadlineMs: 0 }),
  };
}

function again(call: Sent, asked: Asked = {}): Promise<BeginAgain> {
  return beginAgain(store.pool, requestOf(call, asked));
}

/** As if its turn had come once more. */
async function goBack(call: Sent, asked: Asked): Promise<void> {
  await returnCall(store.pool, { ...requestOf(call, asked), reason: 'crowded' });
  await store.pool.query(`UPDATE adk_tool_calls SET status = 'dispatched' WHERE dispatch_id = $1`, [
    call.dispatchId,
  ]);
}

describe('a call that others may have died of', () => {
  it('row 33: is begun as often as it may be, however often it was delivered', async () => {
    const call = await aSentCall(3);

    expect(await again(call, { started: 1 })).toEqual({ kind: 'run', attempt: 2 });
    expect(await again(call, { started: 6 })).toEqual({ kind: 'run', attempt: 3 });
    expect(await again(call, { started: 7 })).toEqual({ kind: 'spent', attempt: 3 });
  });

  it('counts one start, and is answered the same, when the same handler asks again', async () => {
    const call = await aSentCall(3);
    const handler = randomUUID();

    const answers = [await again(call, { handler }), await again(call, { handler }), await again(call)];

    expect(answers.map((answer) => answer.kind === 'run' && answer.attempt)).toEqual([2, 2, 3]);
  });

  it.each([
    { maxAttempts: 2, beside: [0] },
    { maxAttempts: 5, beside: [15, 3, 0, 0] },
  ])(
    'row 33: of $maxAttempts attempts runs beside fewer of its kind the fewer are left',
    async ({ maxAttempts, beside }) => {
      const call = await aSentCall(maxAttempts);

      for (const [before, most] of beside.entries()) {
        expect(await again(call, { beside: most + 1 })).toEqual({ kind: 'crowded', inAttempt: before + 1 });
        expect(await again(call, { beside: most })).toEqual({ kind: 'run', attempt: before + 2 });
      }
    },
  );

  it('keeps its count when it waits for its turn again, at no cost, and when a worker hands it back unrun', async () => {
    const call = await aSentCall(3);
    await again(call);

    await goBack(call, { started: 2 });
    const asked = { attempt: 3, returned: 1, started: 0 };
    expect(await again(call, { ...asked, beside: 1 })).toEqual({ kind: 'crowded', inAttempt: 0 });
    await goBack(call, asked);
    await again(call, { ...asked, returned: 2 });
    await goBack(call, { ...asked, returned: 2 });

    expect(await again(call, { ...asked, returned: 3 })).toEqual({ kind: 'run', attempt: 3 });
    expect(await again(call, { ...asked, returned: 3, started: 1 })).toEqual({ kind: 'spent', attempt: 3 });
  });

  it('is left alone by who holds a message of before, and once it is over', async () => {
    const call = await aSentCall(3);
    await goBack(call, { started: 1 });

    expect(await again(call)).toEqual({ kind: 'over' });
    await store.pool.query(
      `UPDATE adk_tool_calls SET result = '{}', status = 'done' WHERE dispatch_id = $1`,
      [call.dispatchId],
    );
    expect(await again(call, { attempt: 2, returned: 1, started: 0 })).toEqual({ kind: 'over' });
  });
});
