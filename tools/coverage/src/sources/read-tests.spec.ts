import { fullName } from './named-test';
import { readTests } from './read-tests';

function namesIn(text: string): string[] {
  return readTests('a.spec.ts', text).map((test) => fullName(test));
}

describe('readTests', () => {
  it('joins the titles of groups and tests', () => {
    const source = `
      describe('a flow (B15)', () => {
        describe('with tools', () => { it('goes on', () => {}); });
        test("ends", async () => {});
      });
      it('alone', () => {});`;
    expect(namesIn(source)).toEqual(['a flow (B15) with tools goes on', 'a flow (B15) ends', 'alone']);
  });

  it('writes <name> for what a template puts in', () => {
    expect(namesIn("it(`takes ${what} ` + 'for it', () => {});")).toEqual(['takes <what> for it']);
  });

  it('takes a table for one test when its rows name no rule', () => {
    expect(namesIn("it.each(['a', 'b'])('refuses %j (B59)', () => {});")).toEqual(['refuses %j (B59)']);
  });

  it.each([
    ['of lists', "it.each([['x (B1)', 1], ['y (B2)', 2]])('%s', () => {});"],
    [
      'of objects',
      "const rows = [{ says: 'x (B1)' }, { says: 'y (B2)' }] as const; it.each(rows)('$says', () => {});",
    ],
  ])('takes each row %s for a test when rows name rules', (_what, source) => {
    expect(namesIn(source).slice(-2)).toEqual(['x (B1)', 'y (B2)']);
  });

  it('repeats a group for its table', () => {
    const source = "describe.each([['x (B1)'], ['y']])('%s', () => { it('works', () => {}); });";
    expect(namesIn(source)).toEqual(['x (B1) works', 'y works']);
  });

  it('leaves out what does not run', () => {
    const source = `
      it.skip('a', () => {}); it.todo('b'); xit('c', () => {});
      describe.skip('d', () => { it('e', () => {}); }); xdescribe('f', () => { it('g', () => {}); });`;
    expect(namesIn(source)).toEqual([]);
  });

  it('leaves out what only looks like a test', () => {
    expect(namesIn("// it('a')\nconst text = `it('b')`; value.toString('c'); edit('d');")).toEqual([]);
  });

  it('reads the cases of the conformance suite, and the rules beside what they say', () => {
    const source =
      "export const cases = [{ says: 'answers' }, { says: 'asks (B26)', rules: ['B26', 'B31'] }];";
    expect(namesIn(source)).toEqual(['answers', 'asks (B26) (B31)']);
  });
});
