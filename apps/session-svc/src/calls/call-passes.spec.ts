import { type Ticket } from '@skein/contracts';
import { type CallHolder, mintAheadTicket, mintTicket, type StorePool } from '@skein/session-store';
import { CallPasses } from './call-passes';

const SECRET = 'a secret of the test';
const ID = `d-${'1'.repeat(32)}`;
const DEADLINE_MS = 1_763_640_000_000;
const HOLDER: CallHolder = {
  ...{ appName: 'app', userId: 'ada', sessionId: 's', invocationId: 'e-1', pool: 'default', nowMs: 1 },
  ...{ attempt: 1, isOpen: true, aheadDeadlineMs: DEADLINE_MS },
};

/** Of a database that answers these, one after the other, and the last one from then on. */
function passesOf(...holders: (CallHolder | undefined)[]): CallPasses {
  const next = (): CallHolder | undefined => (holders.length > 1 ? holders.shift() : holders[0]);
  const query = async () => ({ rows: [next()].filter((row) => row !== undefined) });
  return new CallPasses({ query } as unknown as StorePool, SECRET);
}

function left(deadlineMs = DEADLINE_MS): { readonly tool: string; readonly ticket: Ticket } {
  return { tool: 'add', ticket: mintAheadTicket(SECRET, 'add', { dispatchId: ID, attempt: 1, deadlineMs }) };
}

describe('the pass of a call that left while it is stored', () => {
  it('is good once the call is stored, which is waited for', async () => {
    await expect(passesOf(undefined, undefined, HOLDER).check(left())).resolves.toMatchObject(HOLDER);
  });

  it('is to be shown again where that takes long', async () => {
    await expect(passesOf(undefined).check(left())).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'call.early',
    });
  });

  it('is none of another call that is stored under its id, nor of one that did not leave so', async () => {
    for (const aheadDeadlineMs of [DEADLINE_MS + 1, null]) {
      const passes = passesOf({ ...HOLDER, aheadDeadlineMs });
      await expect(passes.check(left())).rejects.toMatchObject({ code: 'call.over' });
      expect(await passes.isStored(left().ticket)).toBe(false);
    }
    expect(await passesOf(undefined).isStored(left().ticket)).toBeUndefined();
  });

  it('is good at the first attempt alone', async () => {
    await expect(passesOf({ ...HOLDER, attempt: 2 }).check(left())).rejects.toMatchObject({
      code: 'call.over',
    });
  });
});

it('says at once of any other call that is not there that it is over', async () => {
  const ticket = mintTicket(SECRET, 'add', { dispatchId: ID, attempt: 1, deadlineMs: DEADLINE_MS });

  await expect(passesOf(undefined, HOLDER).check({ tool: 'add', ticket })).rejects.toMatchObject({
    code: 'call.over',
  });
});
