import ts from 'typescript';
import { hasModifier, isOptions, type Kind, membersOf } from './api';
import { type Side } from './compared-types';

/** Where Skein's does not take what theirs takes, or does not give what theirs gives. */
export interface Difference {
  /** `LlmAgent`, `LlmAgent.runAsync`, `LlmAgent(model)` for a constructor's option. */
  readonly place: string;
  readonly lacks: boolean;
}

/** Types whose values authors make and give to the package; of all others the package gives values to authors. */
const GIVEN_BY_AUTHORS =
  /(Config|Options|Params|Request|Callback|Provider|Router|Union|Predicate|Function|Argument|Example)$/;

/** Classes that authors write subclasses of: what overrides theirs has to be taken in the place of ours. */
const EXTENDED_BY_AUTHORS = /^Base|Plugin$/;

/** Compares one export of both packages. */
export class TypeComparison {
  readonly differences: Difference[] = [];

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly name: string,
    private readonly at: ts.Node,
  ) {}

  compare(kind: Kind, theirs: Side, ours: Side): void {
    if (kind === 'class') this.#compareClass(theirs, ours);
    else if (kind === 'type') this.#compareType(theirs.type, ours.type);
    else if (kind === 'enum') this.#compareFields(theirs.type, ours.type, () => true);
    else if (!this.#gives(theirs.type, ours.type)) this.#differs('');
  }

  #compareClass(theirs: Side, ours: Side): void {
    this.#compareConstructor(theirs, ours);
    const extended = EXTENDED_BY_AUTHORS.test(this.name);
    this.#compareFields(theirs.type, ours.type, (mine, its) =>
      extended && !(givesItself(its) && givesItself(mine))
        ? this.checker.isTypeAssignableTo(its, mine)
        : this.#gives(its, mine),
    );
    if (theirs.statics && ours.statics) {
      this.#compareFields(theirs.statics, ours.statics, (mine, its) => this.#gives(its, mine));
    }
  }

  #compareConstructor(theirs: Side, ours: Side): void {
    const takes = this.#elements(ours.params);
    const taken = this.#elements(theirs.params);
    for (const [index, its] of taken.entries()) {
      const mine = takes[index];
      const where = `(${String(index)})`;
      if (!mine) this.#lacks(where);
      else if (isOptions(its) && isOptions(mine)) this.#compareOptions(its, mine);
      else if (!this.checker.isTypeAssignableTo(its, mine)) this.#differs(where);
    }
  }

  #compareOptions(theirs: ts.Type, ours: ts.Type): void {
    const known = new Set(membersOf(theirs).map(({ name }) => name));
    for (const its of membersOf(theirs)) {
      const mine = this.checker.getPropertyOfType(ours, its.name);
      const where = `(${its.name})`;
      if (!mine) this.#lacks(where);
      else if (!this.checker.isTypeAssignableTo(this.#typeOf(its), this.#typeOf(mine))) this.#differs(where);
      else if (isOptional(its) && !isOptional(mine)) this.#differs(where);
    }
    for (const mine of membersOf(ours)) {
      if (!known.has(mine.name) && !isOptional(mine)) this.#differs(`(${mine.name})`);
    }
  }

  #compareType(theirs: ts.Type, ours: ts.Type): void {
    const given = GIVEN_BY_AUTHORS.test(this.name);
    if (isOptions(theirs) && isOptions(ours)) {
      this.#compareFields(theirs, ours, (mine, its) =>
        given ? this.checker.isTypeAssignableTo(its, mine) : this.#gives(its, mine),
      );
    } else {
      const fits = given ? this.checker.isTypeAssignableTo(theirs, ours) : this.#gives(theirs, ours);
      if (!fits) this.#differs('');
    }
  }

  #compareFields(theirs: ts.Type, ours: ts.Type, fits: (mine: ts.Type, its: ts.Type) => boolean): void {
    for (const its of membersOf(theirs)) {
      const mine = this.checker.getPropertyOfType(ours, its.name);
      const where = `.${its.name}`;
      if (!mine || hasModifier(mine, ts.ModifierFlags.Private)) this.#lacks(where);
      else if (isRefused(mine) || !sameAccess(its, mine) || !fits(this.#typeOf(mine), this.#typeOf(its)))
        this.#differs(where);
    }
  }

  /** Whether ours can be used where theirs is: its result, and what is given to it. */
  #gives(theirs: ts.Type, ours: ts.Type): boolean {
    const its = theirs.getCallSignatures();
    const mine = ours.getCallSignatures();
    if (
      its.length === 1 &&
      mine.length === 1 &&
      its[0] &&
      mine[0] &&
      !isGeneric(its[0]) &&
      !isGeneric(mine[0])
    ) {
      return this.#takesAndGives(its[0], mine[0]);
    }
    return this.checker.isTypeAssignableTo(ours, theirs);
  }

  #takesAndGives(theirs: ts.Signature, ours: ts.Signature): boolean {
    const taken = theirs.getParameters();
    const takes = ours.getParameters();
    // A call with an argument more than ours takes is refused by the compiler.
    if (taken.length > takes.length) return false;
    const fits = takes.every((mine, index) => {
      const its = taken[index];
      if (!its) return isOptional(mine);
      if (isOptional(its) && !isOptional(mine)) return false;
      // A parameter with a default is typed as what stands in its place.
      const given = isOptional(mine) ? this.checker.getNonNullableType(this.#typeOf(its)) : this.#typeOf(its);
      return this.checker.isTypeAssignableTo(given, this.#typeOf(mine));
    });
    // Each gives what it is a method of, and only one of the two is here.
    if (signatureGivesItself(theirs) && signatureGivesItself(ours)) return fits;
    return fits && this.checker.isTypeAssignableTo(ours.getReturnType(), theirs.getReturnType());
  }

  #elements(params: ts.Type | undefined): readonly ts.Type[] {
    return params && this.checker.isTupleType(params)
      ? this.checker.getTypeArguments(params as ts.TypeReference)
      : [];
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbolAtLocation(symbol, this.at);
  }

  #lacks(where: string): void {
    this.differences.push({ place: this.name + where, lacks: true });
  }

  #differs(where: string): void {
    this.differences.push({ place: this.name + where, lacks: false });
  }
}

function givesItself(type: ts.Type): boolean {
  return type.getCallSignatures().some(signatureGivesItself);
}

function signatureGivesItself(signature: ts.Signature): boolean {
  return signature.getDeclaration().type?.kind === ts.SyntaxKind.ThisType;
}

function isGeneric(signature: ts.Signature): boolean {
  return (signature.getTypeParameters() ?? []).length > 0;
}

/** A member that is there for classes that override it, and refuses to be called. */
function isRefused(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === 'refused');
}

function isOptional(symbol: ts.Symbol): boolean {
  const [node] = symbol.declarations ?? [];
  if ((symbol.flags & ts.SymbolFlags.Optional) !== 0) return true;
  return (
    node !== undefined &&
    ts.isParameter(node) &&
    (node.questionToken ?? node.initializer ?? node.dotDotDotToken) !== undefined
  );
}

/** An author's class that overrides a protected method is refused where that is public, and the other way round. */
function sameAccess(theirs: ts.Symbol, ours: ts.Symbol): boolean {
  const isProtected = (symbol: ts.Symbol): boolean => hasModifier(symbol, ts.ModifierFlags.Protected);
  return isProtected(theirs) || !isProtected(ours);
}
