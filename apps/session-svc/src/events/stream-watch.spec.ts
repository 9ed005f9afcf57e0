import { type MessagingConnection, readStreamBirths } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { type StorePool } from '@skein/session-store';
import { StreamWatch } from './stream-watch';

jest.mock('@skein/messaging', () => ({ readStreamBirths: jest.fn() }));

/** A database that remembers streams, and a publisher; what they are asked, in order. */
function aGround() {
  const done: string[] = [];
  const faults = new Set<string>();
  let rewoundFor: string | undefined;
  const pool = {
    query: async ({ name, values }: { name: string; values: readonly unknown[] }) => {
      if (faults.has(name)) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      const isOfEvents = String(values[0]) === 'EVENTS';
      if (name === 'read-rewound') return { rows: [{ rewound_for: rewoundFor ?? null }] };
      if (name === 'note-rewound') rewoundFor = String(values[1]);
      if (name !== 'note-stream-births' || isOfEvents) done.push(name);
      return { rows: [] };
    },
  } as unknown as StorePool;
  const publisher = {
    forgetPublished: () => void done.push('forget'),
    publishInto: (created: string) => void done.push(`into ${created}`),
  };
  const aWatch = () =>
    new StreamWatch({ pool, publisher, connection: {} as MessagingConnection, logger: silentLogger });
  return { done, faults, aWatch };
}

const TAKEN_BACK = ['note-stream-births', 'rewind-published', 'note-rewound'];

function theStreamIs(created: string): void {
  jest.mocked(readStreamBirths).mockResolvedValue([{ name: 'EVENTS', created }]);
}

async function settle(watch: StreamWatch): Promise<void> {
  for (let look = 1; look <= 3; look++) await watch.look();
}

describe('StreamWatch', () => {
  it('row 16: takes back what was noted of a lost stream, and goes into the new one a look later', async () => {
    const { done, aWatch } = aGround();
    const watch = aWatch();
    theStreamIs('first');
    await settle(watch);
    expect(done).toEqual([...TAKEN_BACK, 'into first']);
    done.length = 0;

    theStreamIs('second');
    await watch.look();
    expect(done).toEqual([...TAKEN_BACK, 'forget']);
    await settle(watch);
    expect(done).toEqual([...TAKEN_BACK, 'forget', 'note-stream-births', 'into second']);
  });

  it('row 16: goes along with another process that took it back', async () => {
    const { done, aWatch } = aGround();
    const [watch, other] = [aWatch(), aWatch()];
    theStreamIs('first');
    await settle(watch);
    await settle(other);
    theStreamIs('second');
    await settle(other);
    done.length = 0;

    await settle(watch);

    expect(done).toEqual(['note-stream-births', 'forget', 'note-stream-births', 'into second']);
  });

  it.each(['rewind-published', 'note-rewound'])(
    'row 16: leaves it to the next process when it dies, or its database fails, at %s',
    async (statement) => {
      const { done, faults, aWatch } = aGround();
      theStreamIs('first');
      await settle(aWatch());
      theStreamIs('second');
      faults.add(statement);
      await expect(aWatch().look()).rejects.toThrow();
      faults.clear();
      done.length = 0;

      await settle(aWatch());
      expect(done).toEqual([...TAKEN_BACK, 'into second']);

      done.length = 0;
      await settle(aWatch());
      expect(done).toEqual(['note-stream-births', 'into second']);
    },
  );
});
