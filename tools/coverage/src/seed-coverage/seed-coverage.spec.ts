import { seedGroups } from '../seed-items/seed-groups';
import { Repository } from '../sources/repository';
import { problemsOf } from './check-item';
import { seedCoveragePage } from './seed-coverage-page';

const repository = new Repository();
const items = seedGroups.flatMap((group) => group.items);

describe('the items of the design documents', () => {
  it('are each there, with a test, or departed from', () => {
    const wrong = items
      .filter(({ pending }) => !pending)
      .map((item) => ({ item: item.item, problems: problemsOf(item, repository) }))
      .filter(({ problems }) => problems.length > 0);
    expect(wrong).toEqual([]);
  });

  it('are none of them pending', () => {
    expect(items.filter(({ pending }) => pending).map(({ item }) => item)).toEqual([]);
  });

  it('are each listed once in their group', () => {
    for (const { items: listed } of seedGroups) {
      const names = listed.map(({ item }) => item);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('stand on the committed page as `npm run seed-coverage` writes it', () => {
    expect(repository.read('docs/reference/seed-coverage.md')).toBe(seedCoveragePage(seedGroups, repository));
  });
});
