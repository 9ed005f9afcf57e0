import ts from 'typescript';

/** The text of a string in a source, `<name>` where a value is put in; undefined when it is no string. */
export function literalText(node: ts.Expression): string | undefined {
  const plain = unwrapped(node);
  if (ts.isStringLiteralLike(plain)) return plain.text;
  if (ts.isTemplateExpression(plain)) {
    return (
      plain.head.text +
      plain.templateSpans
        .map(({ expression, literal }) => `<${expression.getText()}>${literal.text}`)
        .join('')
    );
  }
  if (ts.isBinaryExpression(plain) && plain.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalText(plain.left), literalText(plain.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  return undefined;
}

/** The strings of a table's rows by position, and by name where rows are objects; nothing of what is computed. */
export function rowsOf(
  table: ts.Expression | undefined,
  source: ts.SourceFile,
): readonly ReadonlyMap<string, string>[] {
  const list = table && unwrapped(table);
  if (!list) return [];
  if (ts.isIdentifier(list)) return rowsOf(constantOf(list.text, source), source);
  if (!ts.isArrayLiteralExpression(list)) return [];
  return list.elements.map((row) => new Map(stringsOf(unwrapped(row))));
}

function stringsOf(row: ts.Expression): [string, string][] {
  if (ts.isArrayLiteralExpression(row)) {
    return row.elements.flatMap((cell, index) => entry(String(index), cell));
  }
  if (ts.isObjectLiteralExpression(row)) {
    return row.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) ? entry(property.name.getText(), property.initializer) : [],
    );
  }
  return entry('0', row);
}

function entry(key: string, value: ts.Expression): [string, string][] {
  const text = literalText(value);
  return text === undefined ? [] : [[key, text]];
}

function constantOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
  return source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .find((declaration) => declaration.name.getText() === name)?.initializer;
}

function unwrapped(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
    ? unwrapped(node.expression)
    : node;
}
