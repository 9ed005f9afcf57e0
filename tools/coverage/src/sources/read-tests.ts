import ts from 'typescript';
import { literalText, rowsOf } from './literal-text';
import { type NamedTest, rulesNamedIn } from './named-test';

const KINDS: ReadonlyMap<string, 'group' | 'test'> = new Map([
  ['describe', 'group'],
  ['it', 'test'],
  ['test', 'test'],
]);
/** A test that does not run holds no rule. */
const NOT_RUN = new Set(['skip', 'todo']);

/** What a call of jest's says: a group or a test, its title, and the table it is repeated for. */
interface Titled {
  readonly kind: 'group' | 'test';
  readonly titles: readonly string[];
  readonly runs: boolean;
}

/** The tests of a source, in its order: what `describe`, `it` and `test` call them, and the cases of conformance. */
export function readTests(file: string, text: string): readonly NamedTest[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: NamedTest[] = [];
  const visit = (node: ts.Node, above: readonly string[]): void => {
    const says = ts.isObjectLiteralExpression(node) ? caseTitle(node) : undefined;
    if (says !== undefined) found.push({ file, titles: [...above, says] });
    const titled = ts.isCallExpression(node) ? titledCall(node, source) : undefined;
    if (!titled) return ts.forEachChild(node, (child) => visit(child, above));
    if (!titled.runs) return;
    for (const title of titled.titles) {
      const titles = [...above, title];
      if (titled.kind === 'test') found.push({ file, titles });
      else ts.forEachChild(node, (child) => visit(child, titles));
    }
  };
  visit(source, []);
  return found;
}

function titledCall(call: ts.CallExpression, source: ts.SourceFile): Titled | undefined {
  const [name = '', ...modifiers] = chainOf(call.expression);
  const isSkipped = name.startsWith('x');
  const kind = KINDS.get(isSkipped ? name.slice(1) : name);
  const [title] = call.arguments;
  // `it.each(table)` alone is the first half of a call.
  if (!kind || !title || (modifiers.includes('each') && !isEachCall(call.expression))) return undefined;
  return {
    kind,
    titles: repeated(literalText(title) ?? `<${title.getText()}>`, call.expression, source),
    runs: !isSkipped && !modifiers.some((modifier) => NOT_RUN.has(modifier)),
  };
}

/** `it.only.each(…)` as `['it', 'only', 'each']`. */
function chainOf(callee: ts.Expression): readonly string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isPropertyAccessExpression(callee)) return [...chainOf(callee.expression), callee.name.text];
  if (ts.isCallExpression(callee)) return chainOf(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return chainOf(callee.tag);
  return [];
}

function isEachCall(callee: ts.Expression): boolean {
  return ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee);
}

/** One title for each row when rows name rules; else the title as it stands, for all rows together. */
function repeated(title: string, callee: ts.Expression, source: ts.SourceFile): readonly string[] {
  if (!ts.isCallExpression(callee)) return [title];
  const filled = rowsOf(callee.arguments[0], source).map((row) => fill(title, row));
  return filled.some((one) => rulesNamedIn(one).length > rulesNamedIn(title).length) ? filled : [title];
}

function fill(title: string, row: ReadonlyMap<string, string>): string {
  let position = 0;
  return title
    .replace(/%[sdifjop]/g, (placeholder) => row.get(String(position++)) ?? placeholder)
    .replace(/\$(\w+)/g, (placeholder, name: string) => row.get(name) ?? placeholder);
}

/** A case of the conformance suite is data: what it `says`, and the `rules` it adds to that. */
function caseTitle(literal: ts.ObjectLiteralExpression): string | undefined {
  const says = propertyOf(literal, 'says');
  const text = says && literalText(says);
  if (text === undefined) return undefined;
  const named = rulesNamedIn(propertyOf(literal, 'rules')?.getText() ?? '');
  const added = named.filter((number) => !rulesNamedIn(text).includes(number));
  return added.length > 0 ? `${text} (${added.map((number) => `B${number}`).join(', ')})` : text;
}

function propertyOf(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  return literal.properties
    .filter((property) => ts.isPropertyAssignment(property))
    .find((property) => ts.isIdentifier(property.name) && property.name.text === name)?.initializer;
}
