import path from 'node:path';
import ts from 'typescript';
import { kindOf } from './api';
import { type Packages } from './published-package';
import { fileOf, importPath, RENAMED } from './with-our-types';

/** An export of both packages: the same thing as theirs and as Skein has it. */
export interface SharedExport {
  readonly name: string;
  readonly theirs: ts.Symbol;
  readonly ours: ts.Symbol;
}

/** A name's types on one side. */
export interface Side {
  readonly type: ts.Type;
  /** Of a class: what its constructor takes. */
  readonly params?: ts.Type;
  readonly statics?: ts.Type;
}

/** The file that names every type to be compared, so that the compiler works out type parameters. */
export function entryFile({ root }: Packages): string {
  return path.join(root, 'test/compat/types/compared-types.ts');
}

export function entryText(packages: Packages, shared: readonly SharedExport[]): string {
  const from = entryFile(packages);
  const lines = shared.flatMap(({ name, theirs, ours }) => [
    ...aliases(`T_${name}`, theirs, `import('${importPath(from, fileOf(theirs))}')`, theirsIn(theirs, ours)),
    ...aliases(`O_${name}`, ours, `import('${importPath(from, packages.ours)}')`, name),
  ]);
  return `${lines.join('\n')}\n`;
}

export function hasTypeMeaning({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Type) !== 0;
}

function theirsIn(theirs: ts.Symbol, ours: ts.Symbol): string {
  return hasTypeMeaning(theirs) && hasTypeMeaning(ours) ? theirs.name + RENAMED : theirs.name;
}

function aliases(alias: string, symbol: ts.Symbol, module: string, name: string): string[] {
  const kind = kindOf(symbol);
  if (kind === 'type') return [`export type ${alias} = ${module}.${name}${anyOf(symbol)};`];
  const value = `typeof ${module}.${name}`;
  if (kind !== 'class') return [`export type ${alias} = ${value};`];
  return [
    // By its name: a constructor may be nobody's to call.
    `export type ${alias} = ${module}.${name}${anyOf(symbol)};`,
    `export type ${alias}__params = ConstructorParameters<${value}>;`,
    `export type ${alias}__statics = ${value};`,
  ];
}

/** `<any, any>` for a type of two parameters. */
function anyOf({ declarations = [] }: ts.Symbol): string {
  const generic = declarations.find(
    (node) =>
      ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node),
  );
  const count = generic?.typeParameters?.length ?? 0;
  return count === 0 ? '' : `<${Array(count).fill('any').join(', ')}>`;
}

export function sideOf(
  checker: ts.TypeChecker,
  exported: ReadonlyMap<string, ts.Symbol>,
  alias: string,
): Side {
  const type = (name: string): ts.Type | undefined => {
    const symbol = exported.get(name);
    return symbol && checker.getDeclaredTypeOfSymbol(symbol);
  };
  const own = type(alias);
  if (!own) throw new Error(`${alias} is not in the file of compared types.`);
  return { type: own, params: type(`${alias}__params`), statics: type(`${alias}__statics`) };
}
