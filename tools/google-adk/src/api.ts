import ts from 'typescript';

export type Kind = 'class' | 'function' | 'const' | 'enum' | 'type';

/** One export as an author sees it. */
export interface Export {
  readonly name: string;
  readonly kind: Kind;
  /** Fields of the object its constructor takes. */
  readonly options: readonly string[];
  /** Of a class: public and protected, inherited ones too. Of a type or an enum: its fields. */
  readonly members: readonly string[];
}

export function kindOf({ flags }: ts.Symbol): Kind {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Function) return 'function';
  if (flags & ts.SymbolFlags.Enum) return 'enum';
  if (flags & ts.SymbolFlags.Variable) return 'const';
  return 'type';
}

/** What the rest of a program may name of a type, in its order; symbols and private members are nobody's business. */
export function membersOf(type: ts.Type): ts.Symbol[] {
  return type
    .getProperties()
    .filter(({ name }) => !/^(__|#)/.test(name) && name !== 'prototype')
    .filter((member) => !hasModifier(member, ts.ModifierFlags.Private))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function hasModifier(member: ts.Symbol, modifier: ts.ModifierFlags): boolean {
  return (member.declarations ?? []).some((node) => (ts.getCombinedModifierFlags(node) & modifier) !== 0);
}

/** A class or an interface of no type that has fields: a text, a function, a list, a class' instance. */
export function isOptions(type: ts.Type): boolean {
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return (
    isObject && type.getCallSignatures().length === 0 && !isClassInstance(type) && membersOf(type).length > 0
  );
}

function isClassInstance({ symbol }: ts.Type): boolean {
  return Boolean(symbol) && (symbol.flags & ts.SymbolFlags.Class) !== 0;
}
