import ts from 'typescript';
import { findAwaits, type FoundAwait, parseSource, pointNames } from './find-points';

export interface Instrumented {
  readonly text: string;
  /** Names of the points of the file, without the file. */
  readonly points: readonly string[];
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The compiled script with a call of the switch before each awaited expression is evaluated and after it has resolved.
 * The compiler keeps awaits and their order, so the n-th of the script is the n-th of the source, which names it.
 *
 * @param source The path from the root and the text of the TypeScript source.
 * @param switchPath What the script requires the switch by.
 */
export function instrument(
  source: { readonly path: string; readonly text: string },
  script: string,
  switchPath: string,
): Instrumented {
  const awaits = findAwaits(parseSource(source.path, source.text));
  const compiled = parseSource('script.js', script);
  const found = findAwaits(compiled);
  const isSame = awaits.length === found.length && awaits.every(({ kind }, i) => kind === found[i]?.kind);
  if (!isSame) throw new Error(`${source.path}: its script has other awaits; build it again`);
  const points = pointNames(awaits);
  if (points.length === 0) return { text: script, points };
  const insertions = found.flatMap(({ node }, index) => insertionsFor(node, compiled, index * 2));
  // Behind `"use strict"`, on its line: the source map stays true line by line.
  const prologue = `const { pass: __pass, passWith: __passWith } = require(${JSON.stringify(switchPath)}).register(${JSON.stringify(source.path)}, ${JSON.stringify(points)});`;
  const [first] = compiled.statements;
  const start =
    first && ts.isExpressionStatement(first) && ts.isStringLiteral(first.expression) ? first.end : 0;
  return { text: insert(script, [{ at: start, text: prologue }, ...insertions]), points };
}

function insertionsFor(node: FoundAwait['node'], file: ts.SourceFile, point: number): Insertion[] {
  const [before, after] = [point, point + 1];
  if (ts.isForOfStatement(node)) return aroundEachTurn(node, file, before, after);
  return [
    { at: node.getStart(file), text: `(__pass(${before}), __passWith(${after}, ` },
    { at: node.end, text: '))' },
  ];
}

/** Before the loop is entered, and at the start of each turn. */
function aroundEachTurn(
  { expression, statement }: ts.ForOfStatement,
  file: ts.SourceFile,
  before: number,
  after: number,
): Insertion[] {
  const isBlock = ts.isBlock(statement);
  return [
    { at: expression.getStart(file), text: `(__pass(${before}), ` },
    { at: expression.end, text: ')' },
    { at: statement.getStart(file) + (isBlock ? 1 : 0), text: `${isBlock ? '' : '{'} __pass(${after}); ` },
    ...(isBlock ? [] : [{ at: statement.end, text: '}' }]),
  ];
}

/**
 * At one place, what closes comes before what opens, and what opens outermost first: nodes are found outermost first, and
 * sorting is stable, so opening texts are in order already; closing ones are alike.
 */
function insert(text: string, insertions: readonly Insertion[]): string {
  const sorted = [...insertions].sort((a, b) => a.at - b.at);
  let result = '';
  let done = 0;
  for (const { at, text: inserted } of sorted) {
    result += text.slice(done, at) + inserted;
    done = at;
  }
  return result + text.slice(done);
}
