import { Repository } from '../../coverage/src/sources/repository';
import { countPerPart, pointsOfSources } from './points-of-sources';

describe('the kill points of the sources', () => {
  const sources = pointsOfSources(new Repository().root);

  it('are found in each killed app and in the libs it runs, not in the gateway and the tests', () => {
    const files = sources.map(({ file }) => file);

    for (const file of ['apps/runner/src/main.ts', 'libs/session-client/src/append-pipeline.ts']) {
      expect(files).toContain(file);
    }
    expect(files.filter((file) => /^apps\/gateway|^libs\/testing|\.spec\.ts$/.test(file))).toEqual([]);
  });

  it('are two for each await, each of a name of its own', () => {
    const points = sources.flatMap((source) => source.points);

    expect(points.length).toBe(2 * sources.reduce((sum, { awaits }) => sum + awaits, 0));
    expect(new Set(points).size).toBe(points.length);
    expect(countPerPart(sources)).toMatch(
      new RegExp(`total +${points.length / 2} awaits +${points.length} points$`),
    );
  });
});
