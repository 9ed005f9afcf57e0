import { semanticsPage } from './semantics-page';
import { rulesWithoutTest } from './tests-of-rules';

const groups = [
  {
    title: 'Tools',
    rules: [
      { number: 1, title: 'One', statement: 'It is so.' },
      { number: 2, title: 'Two', statement: 'It will be so.', deferred: 'Later.' },
      { number: 3, title: 'Three', statement: 'Nobody looked.' },
    ],
  },
];
const tests = [
  { file: 'a.spec.ts', titles: ['a flow (B1)', 'goes on'] },
  { file: 'b.spec.ts', titles: ['ends (B1, B12)'] },
];

describe('semanticsPage', () => {
  it('puts below each rule the tests that name it', () => {
    const page = semanticsPage(groups, tests);
    expect(page).toContain(
      '### B1. One\n\nIt is so.\n\n- `a.spec.ts`\n  - `a flow (B1) › goes on`\n- `b.spec.ts`\n  - `ends (B1, B12)`\n',
    );
  });

  it('says why a rule has none', () => {
    expect(semanticsPage(groups, tests)).toContain('It will be so.\n\nNo test yet. Later.\n');
  });
});

describe('rulesWithoutTest', () => {
  it('finds the rules that are neither tested nor deferred', () => {
    expect(
      rulesWithoutTest(
        groups.flatMap(({ rules }) => rules),
        tests,
      ),
    ).toEqual([expect.objectContaining({ number: 3 })]);
  });
});
