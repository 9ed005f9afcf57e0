import { GroupCommit, type Row } from './group-commit';

describe('GroupCommit', () => {
  /** A statement that ends when it is told to. */
  function heldWrites() {
    const batches: string[][] = [];
    const ends: (() => void)[] = [];
    const commit = new GroupCommit<number>((keys, epochs) => {
      batches.push(keys);
      const rows = new Map<string, Row>(keys.map((key, n) => [key, { key, epoch: epochs[n] ?? NaN }]));
      return new Promise((resolve) => ends.push(() => resolve(rows)));
    });
    return { batches, ends, commit };
  }

  it('writes at once what comes alone, and together what came while two statements ran', async () => {
    const { batches, ends, commit } = heldWrites();

    const added = ['a', 'b', 'c', 'd'].map((key, epoch) => commit.add(key, epoch));
    ends.splice(0).forEach((end) => end());
    await Promise.all(added.slice(0, 2));
    await Promise.resolve();
    ends.splice(0).forEach((end) => end());

    expect(await Promise.all(added)).toEqual(['a', 'b', 'c', 'd'].map((key, epoch) => ({ key, epoch })));
    expect(batches).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('has no two values of one key in a statement', async () => {
    const { batches, ends, commit } = heldWrites();

    const added = ['x', 'y', 'a', 'a'].map((key, epoch) => commit.add(key, epoch));
    while (batches.flat().length < 4 || ends.length > 0) {
      ends.splice(0).forEach((end) => end());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(added);

    expect(batches).toEqual([['x'], ['y'], ['a'], ['a']]);
  });

  it('passes the error of a statement to everybody in it, and goes on', async () => {
    let fails = true;
    const commit = new GroupCommit<number>(async (keys) => {
      if (fails) throw new Error('the database is away');
      return new Map(keys.map((key) => [key, { key, epoch: 1 }]));
    });

    await expect(commit.add('a', 1)).rejects.toThrow('the database is away');
    fails = false;

    await expect(commit.add('a', 1)).resolves.toEqual({ key: 'a', epoch: 1 });
  });
});
