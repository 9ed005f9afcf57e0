import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Repository } from '../sources/repository';
import { problemsOf } from './check-item';

describe('problemsOf', () => {
  let repository: Repository;

  beforeAll(() => {
    repository = new Repository(mkdtempSync(path.join(tmpdir(), 'skein-seeds-')));
    mkdirSync(path.join(repository.root, '.ci'));
    const files = {
      'a.ts': 'export interface Agent { readonly name: string }\n// Ghost',
      'a.spec.ts': "describe('an agent (B42)', () => { it('has a name', () => {}); });",
      '.ci/run': 'step lint npm run lint\n{\n  aside types npm run types\n} &\n',
    };
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(repository.root, file), text);
  });

  afterAll(() => {
    rmSync(repository.root, { recursive: true });
  });

  const item = { item: 'Agent', named: '000' };
  const placed = { ...item, file: 'a.ts', symbol: 'Agent', test: ['a.spec.ts', 'has a name'] as const };

  it.each([
    ['with its file, name, fields and test', { ...placed, fields: { Name: 'name' } }],
    ['with a test that names the rule', { ...placed, test: ['a.spec.ts', 'B42'] as const }],
    ['with a step of the continuous integration', { ...item, test: ['.ci/run', 'lint'] as const }],
    ['with one that runs beside the others', { ...item, test: ['.ci/run', 'types'] as const }],
    ['that was decided otherwise', { ...item, departure: 'a2a' as const }],
    ['that comes later', { ...item, later: 'later' }],
  ])('finds none of an item %s', (_what, fine) => {
    expect(problemsOf(fine, repository)).toEqual([]);
  });

  it.each([
    ['a place', item, 'it is neither placed, nor departed from, nor later'],
    ['its file', { ...placed, file: 'b.ts' }, 'no file b.ts'],
    ['its name, but in a comment', { ...placed, symbol: 'Ghost' }, 'no Ghost in a.ts'],
    ['a field', { ...placed, fields: { Name: 'title' } }, 'no title in a.ts'],
    ['a test', { ...item, file: 'a.ts', symbol: 'Agent' }, 'no test'],
    ['that test', { ...placed, test: ['a.spec.ts', 'has none'] as const }, 'no test "has none" in a.spec.ts'],
    ['a test of that rule', { ...placed, test: ['a.spec.ts', 'B4'] as const }, 'no test "B4" in a.spec.ts'],
    ['that step', { ...item, test: ['.ci/run', 'fly'] as const }, 'no test "fly" in .ci/run'],
  ])('tells of an item without %s', (_what, wrong, problem) => {
    expect(problemsOf(wrong, repository)).toEqual([problem]);
  });
});
