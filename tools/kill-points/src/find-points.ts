import ts from 'typescript';

export interface FoundAwait {
  readonly kind: 'await' | 'for-await' | 'yield';
  /** Of the line in the given text, from 1. */
  readonly line: number;
  readonly node: ts.AwaitExpression | ts.ForOfStatement | ts.YieldExpression;
}

/** Every place of a source where its function may be left and come back to, in the order of the text. */
export function findAwaits(file: ts.SourceFile): readonly FoundAwait[] {
  const found: FoundAwait[] = [];
  const visit = (node: ts.Node): void => {
    const kind = kindOf(node);
    if (kind !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      // kindOf has looked at it.
      found.push({ kind, line: line + 1, node: node as FoundAwait['node'] });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** `57:before`, or `57.2:before` for the second of a line: the names of the two points of each await, in order. */
export function pointNames(awaits: readonly Pick<FoundAwait, 'line'>[]): readonly string[] {
  const onLine = new Map<number, number>();
  return awaits.flatMap(({ line }) => {
    const ordinal = (onLine.get(line) ?? 0) + 1;
    onLine.set(line, ordinal);
    const place = ordinal === 1 ? `${line}` : `${line}.${ordinal}`;
    return [`${place}:before`, `${place}:after`];
  });
}

export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

function kindOf(node: ts.Node): FoundAwait['kind'] | undefined {
  if (ts.isAwaitExpression(node)) return 'await';
  if (ts.isForOfStatement(node) && node.awaitModifier) return 'for-await';
  return ts.isYieldExpression(node) && isInAsyncGenerator(node) ? 'yield' : undefined;
}

function isInAsyncGenerator(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  if (!owner || !ts.canHaveModifiers(owner)) return false;
  return (ts.getModifiers(owner) ?? []).some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
}
