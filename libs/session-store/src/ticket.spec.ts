import { isGenuine, mintAheadTicket, mintRedriveTicket, mintTicket, purposeOf } from './ticket';

const SECRET = 'a secret of some length';
const claims = { dispatchId: `d-${'0'.repeat(32)}`, attempt: 1, deadlineMs: 1_763_640_000_000 };

describe('tickets', () => {
  it('verify for the tool they were minted for', () => {
    expect(isGenuine(SECRET, 'add', mintTicket(SECRET, 'add', claims))).toBe(true);
  });

  it.each([
    ['another tool', 'sub', {}],
    ['another attempt', 'add', { attempt: 2 }],
    ['a later deadline', 'add', { deadlineMs: claims.deadlineMs + 1 }],
    ['another call', 'add', { dispatchId: `d-${'1'.repeat(32)}` }],
    ['a signature of another length', 'add', { hmac: 'x' }],
    ['no signature', 'add', { hmac: '' }],
  ])('do not verify for %s', (_, tool, change) => {
    const ticket = { ...mintTicket(SECRET, 'add', claims), ...change };

    expect(isGenuine(SECRET, tool, ticket)).toBe(false);
  });

  it('do not verify under another secret', () => {
    expect(isGenuine('another secret', 'add', mintTicket(SECRET, 'add', claims))).toBe(false);
  });

  it('say what they were minted for: a run, a call that leaves ahead, or a redrive', () => {
    const tickets = [mintTicket, mintAheadTicket, mintRedriveTicket].map((mint) =>
      mint(SECRET, 'add', claims),
    );

    expect(tickets.map((ticket) => purposeOf(SECRET, 'add', ticket))).toEqual(['run', 'ahead', 'redrive']);
    expect(purposeOf(SECRET, 'sub', mintTicket(SECRET, 'add', claims))).toBeUndefined();
  });
});
