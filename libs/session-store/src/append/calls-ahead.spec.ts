import { type AppendUnit, type CallRow } from '@skein/contracts';
import { purposeOf } from '../ticket';
import { AheadOfStore } from './calls-ahead';
import { type Chain } from './chain';

const SECRET = 'a secret of the test';
const CLOCK_MS = 1_763_640_000_000;
const ID = `d-${'0'.repeat(32)}`;
const policy = { timeoutMs: 1_000, maxAttempts: 2, sideEffect: 'idempotent', readOnly: true } as const;

function aUnit(overrides: Partial<AppendUnit> = {}): AppendUnit {
  const call: CallRow = {
    ...{ dispatchId: ID, stepKey: '0', index: 0, callId: 'c', agentName: 'a', tool: 'add', pool: 'default' },
    ...{ args: {}, policy },
  };
  return {
    ...{
      appName: 'app',
      userId: 'u',
      sessionId: 's',
      invocationId: 'e-1',
      runnerId: 'r',
      epoch: 1,
      segment: 0,
    },
    ...{ appendNo: 1, events: [], records: [], calls: [call], appliedCalls: [] },
    sending: [{ state: { seen: 1 }, calls: [{ dispatchId: ID }] }],
    ...overrides,
  };
}

function anAhead(mayLeaveAhead?: () => boolean): AheadOfStore {
  const ahead = new AheadOfStore({ secret: SECRET, ...(mayLeaveAhead && { mayLeaveAhead }) });
  ahead.noteClock(CLOCK_MS);
  return ahead;
}

const idsOf = (chains: readonly Chain[], ahead = anAhead(() => true)): string[] => [
  ...ahead.of(chains).tickets.keys(),
];

describe('the calls that leave while their chain is stored', () => {
  it('are those of tools that may run more than once, with all that any other call has', () => {
    const { calls, tickets } = anAhead(() => true).of([[aUnit()]]);

    const [call] = calls;
    const ticket = tickets.get(ID);
    expect(calls).toHaveLength(1);
    expect(call?.message).toMatchObject({
      state: { seen: 1 },
      ticket,
      answerTo: 'answer.r',
      invocationId: 'e-1',
    });
    // Two tries of a second, and the five minutes in which it may begin.
    expect(ticket?.deadlineMs).toBeGreaterThanOrEqual(CLOCK_MS + 302_000);
    expect(ticket?.deadlineMs).toBeLessThan(CLOCK_MS + 310_000);
    expect(ticket && purposeOf(SECRET, 'add', ticket)).toBe('ahead');
  });

  it('show their worker the word of the run that waits for them', () => {
    const sending = [{ state: {}, calls: [{ dispatchId: ID, nonce: 'a word' }] }];

    const { calls, tickets } = anAhead(() => true).of([[aUnit({ sending })]]);

    expect(calls[0]?.message.ticket.nonce).toBe('a word');
    const ticket = tickets.get(ID);
    expect(ticket && purposeOf(SECRET, 'add', ticket)).toBe('ahead');
  });

  it('are the same, under the same ticket, where their unit comes again', () => {
    const [ahead, unit] = [anAhead(() => true), aUnit()];

    const first = ahead.of([[unit]]);
    expect(first.calls).toHaveLength(1);
    expect(ahead.of([[unit]])).toBe(first);
  });

  it('are none once what is known of the clock is old', () => {
    jest.useFakeTimers();
    try {
      const ahead = anAhead(() => true);
      jest.advanceTimersByTime(60_001);
      expect(idsOf([[aUnit()]], ahead)).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  const other = aUnit({ sessionId: 'other' });
  const once = { ...policy, sideEffect: 'once' } as const;
  const [call] = aUnit().calls as [CallRow];
  it.each<[string, readonly Chain[]]>([
    ['of chains that are stored together', [[aUnit()], [other]]],
    ['of units that are stored together', [[aUnit(), aUnit({ appendNo: 2, calls: [], appliedCalls: [] })]]],
    ['that their unit settles', [[aUnit({ appliedCalls: [ID] })]]],
    ['of more than may be too many', [[aUnit({ calls: [call, call, call, call, call] })]]],
    [
      'whose time may be over before they are stored',
      [[aUnit({ calls: [{ ...call, policy: { ...policy, scheduleToStartTimeoutMs: 1_000 } }] })]],
    ],
    ['of a tool that may run once, whatever else it says', [[aUnit({ calls: [{ ...call, policy: once }] })]]],
    ['of a run that ends with it', [[aUnit({ finish: { status: 'completed' } })]]],
    ['that the unit holds no state for', [[aUnit({ sending: [{ calls: [{ dispatchId: ID }] }] })]]],
    ['that are not to be sent', [[aUnit({ sending: [] })]]],
    ['of nothing', []],
  ])('are none %s', (_what, chains) => {
    expect(idsOf(chains)).toEqual([]);
  });

  it('are none where somebody stands in front of them, and where nobody knows', () => {
    expect(
      idsOf(
        [[aUnit()]],
        anAhead(() => false),
      ),
    ).toEqual([]);
    expect(idsOf([[aUnit()]], anAhead())).toEqual([]);
  });

  it('are none before the clock of their deadlines is known', () => {
    expect(idsOf([[aUnit()]], new AheadOfStore({ secret: SECRET, mayLeaveAhead: () => true }))).toEqual([]);
  });
});
