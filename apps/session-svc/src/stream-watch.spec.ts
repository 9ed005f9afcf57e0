import { type MessagingConnection, readStreamBirths } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { type StorePool } from '@skein/session-store';
import { StreamWatch } from './stream-watch';

jest.mock('@skein/messaging', () => ({ readStreamBirths: jest.fn() }));

/** A database that remembers streams, and a publisher; what they are asked, in order. */
function aGround() {
  const done: string[] = [];
  const known = new Map<string, string>();
  const faults = new Set<string>();
  const pool = {
    query: async ({ name, values }: { name: string; values: string[][] }) => {
      if (faults.has(name)) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const [names = [], births = []] = values;
      if (name === 'read-stream-birth') return { rows: [{ created: known.get(String(names)) }] };
      if (name !== 'note-stream-births') done.push(name);
      else for (const [index, stream] of names.entries()) known.set(stream, births[index] ?? '');
      return { rows: [] };
    },
  } as unknown as StorePool;
  const publisher = { forgetPublished: () => void done.push('forget') };
  const aWatch = () =>
    new StreamWatch({ pool, publisher, connection: {} as MessagingConnection, logger: silentLogger });
  return { done, faults, aWatch };
}

const GONE_BACK = ['forget', 'rewind-published', 'forget'];

function theStreamIs(created: string): void {
  jest.mocked(readStreamBirths).mockResolvedValue([{ name: 'EVENTS', created }]);
}

async function settle(watch: StreamWatch): Promise<void> {
  for (let look = 1; look <= 3; look++) await watch.look();
}

describe('StreamWatch', () => {
  it('row 16: goes back for a new stream twice, each time forgetting what it was told meanwhile', async () => {
    const { done, aWatch } = aGround();
    const watch = aWatch();
    theStreamIs('first');
    await settle(watch);
    done.length = 0;

    theStreamIs('second');
    await settle(watch);

    expect(done).toEqual([...GONE_BACK, ...GONE_BACK]);
  });

  it('row 16: leaves it to the next process when it dies, or its database fails, before that is done', async () => {
    const { done, faults, aWatch } = aGround();
    theStreamIs('first');
    await settle(aWatch());
    theStreamIs('second');
    faults.add('rewind-published');
    await expect(aWatch().look()).rejects.toThrow();
    faults.clear();
    done.length = 0;

    await settle(aWatch());

    expect(done).toEqual([...GONE_BACK, ...GONE_BACK]);
    done.length = 0;
    await settle(aWatch());
    expect(done).toEqual([]);
  });
});
