import { silentLogger } from '@skein/platform';
import { EndedCalls } from './ended-calls';
import { NotStartedCalls, type NotStartedParts } from './not-started-calls';

const ROW = {
  ...{ app_name: 'shop', user_id: 'u', session_id: 's', invocation_id: 'e-1', dispatch_id: 'd-1' },
  ...{ tool: 'add', pool: 'default', attempt: 1, deadline_ms: 1 },
};

const unstopped = new AbortController().signal;

interface Fleet {
  serves: boolean;
  isRunning: boolean;
  isInformed: boolean;
  /** Calls that were heard to run. */
  begun?: readonly { readonly dispatchId: string; readonly pool: string; readonly agoMs: number }[];
}

/** One call past its start deadline, and what became of it. */
function lateCall(isWaiting: boolean, fleet: Fleet) {
  const ended: string[] = [];
  const noted: string[] = [];
  const pool = {
    query: async ({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) => {
      if (name === 'read-not-started-calls')
        return {
          rows:
            ended.length === 0 && noted.length === 0
              ? [{ ...ROW, is_waiting: isWaiting, is_live: true }]
              : [],
        };
      if (name === 'note-begun-calls') {
        noted.push(...(values[0] as string[]));
        return { rows: [] };
      }
      const { outcome } = JSON.parse(String(values[2])) as { outcome: { code: string } };
      ended.push(outcome.code);
      return { rows: [{ stored: true, status: 'dispatched' }] };
    },
  } as unknown as NotStartedParts['pool'];
  const workers: NotStartedParts['workers'] = {
    serves: () => fleet.serves,
    isRunning: () => fleet.isRunning,
    isInformed: () => fleet.isInformed,
    begun: () => [...(fleet.begun ?? [])],
    noted: () => (fleet.begun = []),
  };
  const metrics = { deadLetters: { increment: () => undefined } };
  const admission = { ended: () => undefined };
  const forwarder = { forwardStored: async () => ({ disposition: 'no-owner' as const }) };
  const endedCalls = new EndedCalls({ pool, forwarder, admission, metrics, logger: silentLogger });
  const calls = new NotStartedCalls({ pool, workers, ended: endedCalls, secret: 's' });
  return { calls, ended };
}

describe('calls past their start deadline', () => {
  it('that still wait are ended at once, and the model is told whether anybody serves them', async () => {
    const served = lateCall(true, { serves: true, isRunning: false, isInformed: true });
    const unserved = lateCall(true, { serves: false, isRunning: false, isInformed: true });

    await served.calls.sweep(unstopped);
    await unserved.calls.sweep(unstopped);

    expect([served.ended, unserved.ended]).toEqual([['tool.not-started'], ['tool.no-worker']]);
  });

  it('that were sent are ended when no worker is at them twice in a row: a result may be on its way', async () => {
    const { calls, ended } = lateCall(false, { serves: true, isRunning: false, isInformed: true });

    await calls.sweep(unstopped);
    expect(ended).toEqual([]);
    await calls.sweep(unstopped);
    expect(ended).toEqual(['tool.not-started']);
  });

  it('that a worker was seen at are left to their deadline, also when it is gone', async () => {
    const fleet = { serves: true, isRunning: true, isInformed: true };
    const { calls, ended } = lateCall(false, fleet);

    await calls.sweep(unstopped);
    fleet.isRunning = false;
    for (let n = 0; n < 3; n++) await calls.sweep(unstopped);

    expect(ended).toEqual([]);
  });

  it('that a worker was heard to run are noted before any is ended: it may be silent or dead by now', async () => {
    const fleet: Fleet = { serves: true, isRunning: false, isInformed: true };
    const { calls, ended } = lateCall(false, fleet);
    await calls.sweep(unstopped);
    fleet.begun = [{ dispatchId: 'd-1', pool: 'default', agoMs: 6_000 }];

    for (let n = 0; n < 3; n++) await calls.sweep(unstopped);

    expect([ended, fleet.begun]).toEqual([[], []]);
  });

  it('that were sent are left while nobody can know which workers there are', async () => {
    const { calls, ended } = lateCall(false, { serves: false, isRunning: false, isInformed: false });

    for (let n = 0; n < 3; n++) await calls.sweep(unstopped);

    expect(ended).toEqual([]);
  });
});
