import path from 'node:path';
import ts from 'typescript';

/** The author package of this repository, and npm's, as it lies below test/compat once that is installed. */
export interface Packages {
  readonly root: string;
  readonly ours: string;
  readonly theirs: string;
}

export function packagesBelow(root: string): Packages {
  return {
    root,
    ours: path.join(root, 'libs/adk/src/index.ts'),
    theirs: path.join(root, 'test/compat/node_modules/@google/adk/dist/types/index.d.ts'),
  };
}

/** Files that are not on the disk, or not as they are there: text by absolute path. */
type Overlay = ReadonlyMap<string, string>;

const sources = new Map<string, ts.SourceFile | undefined>();

/** A program over both packages and whatever `overlay` puts in the place of files. */
export function programOf({ root, ours, theirs }: Packages, overlay: Overlay = new Map()): ts.Program {
  const file = path.join(root, 'tsconfig.json');
  const read = ts.readConfigFile(file, (name) => ts.sys.readFile(name));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root, { noEmit: true });
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => overlay.has(name) || disk.fileExists(name),
    readFile: (name) => overlay.get(name) ?? disk.readFile(name),
    getSourceFile: (name, languageVersion) => {
      const text = overlay.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, languageVersion);
      // Reading and parsing thousands of declarations is most of the work; the second program takes the first one's.
      if (!sources.has(name)) sources.set(name, disk.getSourceFile(name, languageVersion));
      return sources.get(name);
    },
  };
  return ts.createProgram([ours, theirs, ...overlay.keys()], options, host);
}

export function exportsOf(program: ts.Program, file: string): ReadonlyMap<string, ts.Symbol> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is no module. Is test/compat installed (npm run test:compat)?`);
  const all = checker
    .getExportsOfModule(module)
    .map((symbol) => [symbol.name, declared(checker, symbol)] as const);
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function declared(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
