import path from 'node:path';
import ts from 'typescript';
import { type Packages } from './published-package';

/** How a declaration of theirs is called once its name means Skein's. */
export const RENAMED = '__theirs';

/** A type both packages have: the name it has in both, and theirs as it is declared. */
export interface SharedType {
  readonly name: string;
  readonly theirs: ts.Symbol;
}

/**
 * Their declarations, in which each name that Skein has too means Skein's: what their LlmAgentConfig takes is then a
 * model of Skein's, as it is for an author who changed the import. Texts by path; each declaration stays as
 * `<name>__theirs`.
 */
export function withOurTypes({ ours }: Packages, shared: readonly SharedType[]): Map<string, string> {
  const declared = shared.filter(isSoleName);
  return new Map(
    [...new Set(declared.map(({ theirs }) => fileOf(theirs)))].map((file) => {
      const types = declared.filter(({ theirs }) => fileOf(theirs) === file);
      const from = importPath(file, ours);
      const added = types.map(
        ({ name, theirs }) =>
          `import { ${name} as ${theirs.name} } from '${from}';\nexport { ${theirs.name} };`,
      );
      return [file, `${renamed(types.map(({ theirs }) => theirs))}\n${added.join('\n')}\n`];
    }),
  );
}

/** A second name of the same declaration (`Agent` of LlmAgent) is not declared again. */
function isSoleName({ name, theirs }: SharedType, _index: number, all: readonly SharedType[]): boolean {
  return all.find((other) => other.theirs === theirs && other.name === theirs.name)?.name === name;
}

function renamed(symbols: readonly ts.Symbol[]): string {
  const nodes = symbols.flatMap(({ declarations = [] }) => declarations).map((node) => nameOf(node));
  const source = nodes[0]?.getSourceFile();
  if (!source) throw new Error('Nothing to rename.');
  let text = source.text;
  for (const node of nodes.sort((a, b) => b.getEnd() - a.getEnd())) {
    text = text.slice(0, node.getEnd()) + RENAMED + text.slice(node.getEnd());
  }
  return text;
}

function nameOf(declaration: ts.Declaration): ts.Node {
  const name = ts.getNameOfDeclaration(declaration);
  if (!name) throw new Error(`${declaration.getSourceFile().fileName} has a declaration without a name.`);
  return name;
}

export function fileOf(symbol: ts.Symbol): string {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) throw new Error(`${symbol.name} is declared nowhere.`);
  return declaration.getSourceFile().fileName;
}

/** What an import in `from` says to get `to`, both absolute. */
export function importPath(from: string, to: string): string {
  const relative = path.relative(path.dirname(from), to).replace(/(\.d)?\.ts$/, '.js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
