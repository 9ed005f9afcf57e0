import { type CallRow } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { Admission, type AdmissionParts } from './admission';

/** As the database has it, of a call that was just admitted. */
const ADMITTED = {
  ...{
    app_name: 'shop',
    user_id: 'u',
    session_id: 's',
    invocation_id: 'i',
    dispatch_id: 'first',
    step_key: '0',
  },
  ...{
    call_index: 0,
    call_id: 'c',
    agent_name: 'a',
    tool: 'add',
    pool: 'default',
    args: {},
    attempt: 1,
    returned: 0,
  },
  ...{ policy: {}, deadline_ms: 1, scopes: { session: {}, app: {}, user: {} } },
};

const UNIT = { appName: 'shop' } as Parameters<Admission['placeOf']>[0];

function aCall(overrides: Partial<CallRow> = {}): CallRow {
  const policy = { timeoutMs: 1, maxAttempts: 1, sideEffect: 'idempotent' } as const;
  return { tool: 'add', pool: 'default', policy, ...overrides } as CallRow;
}

interface Fleet {
  readonly capacity: number;
  readonly holds?: boolean;
  readonly holdsCalls?: boolean;
  readonly tools: readonly string[];
}

/** A database that has these tools waiting, and answers each round as told. */
function anAdmission(fleet: Fleet, waiting: readonly string[] = [], answer: object = {}) {
  const rounds: string[][] = [];
  const sent: string[] = [];
  const listeners: ((pools: readonly string[]) => void)[] = [];
  const pool = {
    query: async ({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) => {
      if (name === 'list-waiting-tools') return { rows: waiting.map((tool) => ({ app_name: 'shop', tool })) };
      if (name === 'list-waiting-pools') return { rows: waiting.length > 0 ? [{ pool: 'default' }] : [] };
      if (name === 'read-admitted-calls') return { rows: [ADMITTED] };
      if (name !== 'admit-calls') return { rows: [] };
      const tools = JSON.parse(String(values[1])) as { tool: string; is_unserved?: boolean }[];
      rounds.push(tools.filter((one) => !one.is_unserved).map(({ tool }) => tool));
      return { rows: [{ answer: { admitted: [], share: 3, waitMs: null, hasMore: false, ...answer } }] };
    },
  } as unknown as AdmissionParts['pool'];
  const workers: AdmissionParts['workers'] = {
    serves: (_app, tool) => fleet.tools.includes(tool),
    capacity: () => fleet.capacity,
    hold: () => fleet.holds ?? true,
    leftBehind: () => 0,
    onServed: (listener) => void listeners.push(listener),
  };
  const connection = {
    isConnected: () => false,
    whenConnected: async () => undefined,
    codec: { encode: async () => ({ data: new Uint8Array() }) },
    requests: { request: async () => ({ json: () => ({ stream: 'TOOLS' }) }) },
  } as unknown as AdmissionParts['connection'];
  const admission = new Admission({
    ...{ pool, connection, workers, secret: 's', logger: silentLogger },
    holdsCalls: fleet.holdsCalls ?? true,
    sent: { add: ({ message }) => void sent.push(message.ticket.dispatchId) },
  });
  return {
    admission,
    rounds,
    sent,
    served: () => listeners.forEach((listener) => listener(['default'])),
  };
}

const settled = (): Promise<unknown> => jest.advanceTimersByTimeAsync(0);

describe('Admission', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has calls wait of tools with limits and of such as no worker of the pool has; others up to the share', () => {
    const { admission } = anAdmission({ capacity: 8, tools: ['add'] });
    const { policy } = aCall();

    expect(admission.placeOf(UNIT, aCall())).toEqual({ waits: false, share: 10, room: 10 });
    expect(admission.placeOf(UNIT, aCall({ tool: 'other' })).waits).toBe(true);
    for (const limit of [{ maxConcurrency: 1 }, { rateLimit: { calls: 1, perMs: 1 } }])
      expect(admission.placeOf(UNIT, aCall({ policy: { ...policy, ...limit } })).waits).toBe(true);
  });

  it('lets calls of a pool without any known worker go to its queue', () => {
    const { admission } = anAdmission({ capacity: 0, tools: [] });

    expect(admission.placeOf(UNIT, aCall())).toEqual({ waits: false, share: 20, room: 20 });
  });

  it('lets a call leave ahead of its unit where workers run it, nothing limits it and nobody waits in its pool', async () => {
    const waiting = ['add'];
    const { admission } = anAdmission({ capacity: 8, tools: ['add'] }, waiting);
    const { policy } = aCall();
    const limited = aCall({ policy: { ...policy, maxConcurrency: 1 } });

    expect(admission.mayLeaveAhead(UNIT, aCall())).toBe(true);
    expect(admission.mayLeaveAhead(UNIT, aCall({ tool: 'other' }))).toBe(false);
    expect(admission.mayLeaveAhead(UNIT, limited)).toBe(false);
    expect(anAdmission({ capacity: 0, tools: [] }).admission.mayLeaveAhead(UNIT, aCall())).toBe(false);

    admission.stored([aCall()]);
    expect(admission.mayLeaveAhead(UNIT, aCall())).toBe(false);
    await settled();
    expect(admission.mayLeaveAhead(UNIT, aCall())).toBe(false);
    waiting.length = 0;
    admission.ended();
    await settled();
    expect(admission.mayLeaveAhead(UNIT, aCall())).toBe(true);
  });

  it.each([{ holds: false }, { holdsCalls: false }])(
    'lets a call that may change something leave ahead only where it may be held, and every worker of its pool does: %j',
    (not) => {
      const { policy } = aCall();
      const reading = aCall({ policy: { ...policy, readOnly: true } });
      const { admission } = anAdmission({ capacity: 8, tools: ['add'], ...not });

      expect(admission.mayLeaveAhead(UNIT, aCall())).toBe(false);
      expect(admission.mayLeaveAhead(UNIT, reading)).toBe(true);
    },
  );

  it('goes by the share of the last round that had room while calls wait', async () => {
    const round: { share: number | null } = { share: 3 };
    const { admission, rounds } = anAdmission({ capacity: 8, tools: ['add'] }, ['add'], round);
    admission.stored([aCall()]);
    await settled();

    expect(admission.placeOf(UNIT, aCall())).toEqual({ waits: false, share: 3, room: 10 });

    round.share = null;
    admission.ended();
    await settled();
    expect(rounds).toHaveLength(2);
    expect(admission.placeOf(UNIT, aCall())).toEqual({ waits: false, share: 3, room: 10 });
  });

  it('has a new call wait behind those that wait for room, and goes with the round that follows', async () => {
    const round = { isHeld: true };
    const waiting = ['add'];
    const { admission, rounds } = anAdmission({ capacity: 8, tools: ['add'] }, waiting, round);
    admission.stored([aCall()]);
    await settled();

    expect(admission.placeOf(UNIT, aCall()).waits).toBe(true);
    admission.stored([aCall()]);
    await settled();
    expect(rounds).toHaveLength(2);

    expect(admission.placeOf(UNIT, aCall({ pool: 'other' })).waits).toBe(false);
    waiting.length = 0;
    admission.ended();
    await settled();
    expect(admission.placeOf(UNIT, aCall()).waits).toBe(false);
  });

  it('does one round for all that happens while one is under way, and none where nothing waits', async () => {
    const { admission, rounds } = anAdmission({ capacity: 8, tools: ['add'] }, ['add']);
    admission.ended();
    await settled();
    expect(rounds).toHaveLength(0);

    admission.stored([aCall()]);
    for (let n = 0; n < 100; n++) admission.ended();
    await settled();

    expect(rounds).toHaveLength(2);
  });

  it('takes its time after a round that saw as much as it may and found nothing', async () => {
    const { admission, rounds } = anAdmission({ capacity: 8, tools: ['add'] }, ['add'], { hasMore: true });
    admission.queued('default');
    await jest.advanceTimersByTimeAsync(1_000);

    expect(rounds.length).toBeLessThanOrEqual(6);
    expect(rounds.length).toBeGreaterThan(1);
    await admission.stop();
  });

  it.each([
    ['fail', () => Promise.reject(new Error('the database is away'))],
    ['take long', () => new Promise<void>(() => undefined)],
  ])('sends what runs wait for also where redrives of the same round %s', async (_, sendRedriven) => {
    const answer = { admitted: ['redriven', 'first'] };
    const { admission, sent } = anAdmission({ capacity: 8, tools: ['add'] }, ['add'], answer);
    const redriven = jest.fn(sendRedriven);
    admission.onRedriven(redriven);
    admission.queued('default');
    await settled();

    expect(redriven).toHaveBeenCalledWith(['redriven']);
    expect(sent).toEqual(['first']);
  });

  it('admits what is served only, and looks again when a worker comes', async () => {
    const fleet = { capacity: 8, tools: ['add'] };
    const { admission, rounds, served } = anAdmission(fleet, ['add', 'other']);
    admission.stored([aCall()]);
    await settled();
    fleet.tools.push('other');
    served();
    await settled();

    expect(rounds).toEqual([['add'], ['add', 'other']]);
  });

  it('looks again when a backoff or a rate lets the next call go, and in each sweep', async () => {
    const { admission, rounds } = anAdmission({ capacity: 8, tools: ['add'] }, ['add'], { waitMs: 500 });
    admission.queued('default', 200);
    await jest.advanceTimersByTimeAsync(199);
    expect(rounds).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(500);
    expect(rounds).toHaveLength(2);
    await admission.sweep();
    await settled();
    expect(rounds).toHaveLength(3);

    await admission.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});
