import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { instrument } from './instrument';

const SOURCE = `
export async function run(log: (value: unknown) => void, items: AsyncIterable<number>): Promise<number> {
  const first = await Promise.resolve(1), second = await (await Promise.resolve(Promise.resolve(2)));
  for await (const item of await Promise.resolve(items)) log(item);
  for await (const item of more(first)) {
    log(item);
  }
  return first + second;
}
async function* more(from: number): AsyncGenerator<number> {
  yield await Promise.resolve(from);
  yield* [from + 1];
}
`;

function compile(text: string): string {
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { compilerOptions: options }).outputText;
}

describe('instrument', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-instrument-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names two points for each await, each turn of a loop and each yield, by the line of the source', () => {
    const { points } = instrument({ path: 'a.ts', text: SOURCE }, compile(SOURCE), './switch');

    expect(points.filter((point) => point.endsWith(':before'))).toEqual(
      ['3', '3.2', '3.3', '4', '4.2', '5', '11', '11.2', '12'].map((place) => `${place}:before`),
    );
    expect(points).toHaveLength(18);
  });

  it('leaves what the script does as it was, and passes every point in the order of the text', async () => {
    const { text, points } = instrument({ path: 'a.ts', text: SOURCE }, compile(SOURCE), './switch.js');
    writeFileSync(path.join(folder, 'a.js'), text);
    writeFileSync(
      path.join(folder, 'switch.js'),
      `const passed = []; exports.passed = passed;
       exports.register = () => ({ pass: (p) => passed.push(p), passWith: (p, value) => { passed.push(p); return value; } });`,
    );
    const load = createRequire(path.join(folder, 'here.js'));
    const { run } = load('./a.js') as {
      run: (log: (value: unknown) => void, items: unknown) => Promise<number>;
    };
    const logged: unknown[] = [];
    const items = (async function* () {
      yield await Promise.resolve(7);
    })();

    expect(await run((value) => logged.push(value), items)).toBe(3);
    expect(logged).toEqual([7, 1, 2]);
    const { passed } = load('./switch.js') as { passed: number[] };
    expect(passed.slice(0, 3).map((point) => points[point])).toEqual(['3:before', '3:after', '3.2:before']);
    expect(new Set(passed).size).toBe(points.length);
  });

  it('refuses a script that was made of another source', () => {
    expect(() => instrument({ path: 'a.ts', text: SOURCE }, compile('await 1;'), './switch')).toThrow(
      'a.ts: its script has other awaits; build it again',
    );
  });
});
