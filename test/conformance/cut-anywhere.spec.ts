import { cases } from './cases';
import { killEverywhere, type KilledEverywhere } from './killed/kill-everywhere';
import { theTreeCase } from './killed/the-tree.case';
import { sideBySide } from './side-by-side';

/** Cases whose agents keep something in their process, with what that is: it is gone with the process. */
const OF_ONE_PROCESS: Readonly<Record<string, string>> = {
  plugin_all_hooks: 'its plugin keeps a list of the hooks it was asked in memory',
  plugin_told_of_errors: 'its plugin counts errors in memory',
};

const AT_ONCE = 16;

/**
 * Each case in a process that is killed right after each piece it stores, in the order the pieces left, and gone on with
 * in another that has nothing but what is stored.
 */
describe('an agent whose process is killed anywhere', () => {
  const exact = [...cases.filter(({ name }) => !(name in OF_ONE_PROCESS)), theTreeCase];
  let results: ReadonlyMap<string, PromiseSettledResult<KilledEverywhere>>;

  beforeAll(async () => {
    const settled = await sideBySide(exact, AT_ONCE, killEverywhere);
    results = new Map(settled.map((result, index) => [exact[index]?.name ?? '', result]));
    // Each run has a deadline of its own.
  }, 600_000);

  it.each(exact)('ends as if nobody had killed it: $name', ({ name }) => {
    const result = results.get(name);
    if (result?.status !== 'fulfilled') throw result?.reason;

    expect(result.value.differences).toEqual([]);
  });

  it('was killed at every stored piece of every turn', () => {
    const kills = [...results.values()].flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.kills] : [],
    );

    expect(kills.every((count) => count > 0)).toBe(true);
    expect(kills.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1_500);
  });
});
