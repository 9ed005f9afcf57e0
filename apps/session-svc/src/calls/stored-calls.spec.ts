import { type AskStored, TOLD_STORED_WITHIN_MS } from '@skein/contracts';
import { StoredCalls } from './stored-calls';

const dispatchId = `d-${'0'.repeat(32)}`;
const ticket = { dispatchId, attempt: 1, deadlineMs: 1_000, hmac: 'signed' };
const ask = (shown: Partial<typeof ticket> = {}): AskStored => ({
  invocationId: 'e-1',
  tool: 'put',
  ticket: { ...ticket, ...shown },
});

describe('a call that left while it is stored', () => {
  it.each(['stored', 'refused'] as const)(
    'is told to be %s once it is, and from then on',
    async (verdict) => {
      const calls = new StoredCalls();
      calls.leaves(ticket);
      let told: string | undefined;
      const asked = calls.verdictOf(ask()).then((one) => (told = one));
      await new Promise(setImmediate);
      expect(told).toBeUndefined();

      calls.decide(ticket, verdict);

      expect(await asked).toBe(verdict);
      expect(await calls.verdictOf(ask())).toBe(verdict);
    },
  );

  it('is what it came to first', async () => {
    const calls = new StoredCalls();
    calls.leaves(ticket);
    calls.decide(ticket, 'refused');
    calls.decide(ticket, 'stored');

    expect(await calls.verdictOf(ask())).toBe('refused');
  });

  it.each([
    ['with another deadline, as one that left before it has', { deadlineMs: 999 }],
    ['that is signed by somebody else', { hmac: 'singed' }],
    ['of another length', { hmac: 'sign' }],
    ['of a call that did not leave from here', { dispatchId: `d-${'1'.repeat(32)}` }],
  ])('is not known by a ticket %s', async (_what, shown) => {
    const calls = new StoredCalls();
    calls.leaves(ticket);
    calls.decide(ticket, 'stored');
    calls.decide({ ...ticket, dispatchId: `d-${'2'.repeat(32)}` }, 'stored');

    expect(await calls.verdictOf(ask(shown))).toBe('unknown');
  });

  it('is nobody’s where it waits for its turn after all', async () => {
    const calls = new StoredCalls();
    calls.leaves(ticket);
    calls.putOff(dispatchId);
    calls.putOff(`d-${'1'.repeat(32)}`);

    expect(await calls.verdictOf(ask())).toBe('refused');
  });

  it('is told by the ticket it left with last', async () => {
    const calls = new StoredCalls();
    const later = { ...ticket, deadlineMs: 2_000, hmac: 'signed again' };
    calls.leaves(ticket);
    calls.leaves(later);
    calls.decide(ticket, 'refused');
    calls.decide(later, 'stored');

    expect(await calls.verdictOf(ask())).toBe('unknown');
    expect(await calls.verdictOf(ask(later))).toBe('stored');
  });

  it('is unknown where its statement takes longer than its worker waits', async () => {
    jest.useFakeTimers();
    try {
      const calls = new StoredCalls();
      calls.leaves(ticket);
      const asked = calls.verdictOf(ask());
      await jest.advanceTimersByTimeAsync(TOLD_STORED_WITHIN_MS);
      expect(await asked).toBe('unknown');
    } finally {
      jest.useRealTimers();
    }
  });
});
