import ts from 'typescript';
import { type Export, isOptions, kindOf, membersOf } from './api';
import { type Difference, TypeComparison } from './compare-types';
import { entryFile, entryText, hasTypeMeaning, type SharedExport, sideOf } from './compared-types';
import { exportsOf, type Packages, programOf } from './published-package';
import { withOurTypes } from './with-our-types';

/** What npm's package exports, which of it Skein has, and where that differs. */
export interface Comparison {
  readonly exports: readonly (Export & { readonly shared: boolean })[];
  readonly differences: readonly Difference[];
}

export function comparePackages(packages: Packages): Comparison {
  const program = programOf(packages);
  const theirs = exportsOf(program, packages.theirs);
  const ours = exportsOf(program, packages.ours);
  const shared = [...theirs].flatMap(([name, symbol]) => {
    const mine = ours.get(name);
    return mine && hasValue(mine) >= hasValue(symbol) ? [{ name, theirs: symbol, ours: mine }] : [];
  });
  const names = new Set(shared.map(({ name }) => name));
  const checker = program.getTypeChecker();
  return {
    exports: [...theirs].map(([name, symbol]) => ({
      ...described(checker, name, symbol),
      shared: names.has(name),
    })),
    differences: differencesOf(packages, shared),
  };
}

function hasValue({ flags }: ts.Symbol): number {
  return flags & ts.SymbolFlags.Value ? 1 : 0;
}

function described(checker: ts.TypeChecker, name: string, symbol: ts.Symbol): Export {
  const kind = kindOf(symbol);
  const namesOf = (type: ts.Type | undefined): string[] =>
    type ? membersOf(type).map((member) => member.name) : [];
  const options = kind === 'class' ? optionsOf(checker, symbol) : undefined;
  const statics = kind === 'class' || kind === 'enum' ? checker.getTypeOfSymbol(symbol) : undefined;
  const fields = kind === 'class' || kind === 'type' ? checker.getDeclaredTypeOfSymbol(symbol) : undefined;
  const isObject = fields && (fields.flags & ts.TypeFlags.Object) !== 0;
  return {
    name,
    kind,
    options: namesOf(options),
    members: [...namesOf(isObject ? fields : undefined), ...namesOf(statics)],
  };
}

function optionsOf(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Type | undefined {
  const [signature] = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const types = signature?.getParameters().map((parameter) => checker.getTypeOfSymbol(parameter));
  return types?.find(isOptions);
}

function differencesOf(packages: Packages, shared: readonly SharedExport[]): Difference[] {
  const types = shared.filter(({ theirs, ours }) => hasTypeMeaning(theirs) && hasTypeMeaning(ours));
  const file = entryFile(packages);
  const overlay = withOurTypes(packages, types).set(file, entryText(packages, shared));
  const program = programOf(packages, overlay);
  const checker = program.getTypeChecker();
  const entry = program.getSourceFile(file);
  if (!entry) throw new Error(`${file} is not in the program.`);
  const aliases = exportsOf(program, file);
  return shared.flatMap(({ name, theirs }) => {
    const comparison = new TypeComparison(checker, name, entry);
    const [its, mine] = [sideOf(checker, aliases, `T_${name}`), sideOf(checker, aliases, `O_${name}`)];
    comparison.compare(kindOf(theirs), its, mine);
    return comparison.differences;
  });
}
