import ts from 'typescript';

/** The names in a source and the words of its strings; of a file that is no TypeScript, all its words. */
export function wordsOf(file: string, text: string): ReadonlySet<string> {
  if (!file.endsWith('.ts')) return new Set(words(text));
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found.add(node.text);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      for (const word of [node.text, ...words(node.text)]) found.add(word);
    } else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS));
  return found;
}

function words(text: string): readonly string[] {
  return text.match(/[\w$:.-]+/g)?.flatMap((word) => [word, ...word.split(/[:.-]/).filter(Boolean)]) ?? [];
}
