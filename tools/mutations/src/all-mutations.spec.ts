import { fullName, rulesNamedIn } from '../../coverage/src/sources/named-test';
import { Repository } from '../../coverage/src/sources/repository';
import { allMutations } from './all-mutations';
import { mutated } from './mutation';

const repository = new Repository();
const RULES_DEMANDED = 45;

describe('the mutations', () => {
  it(`break at least ${RULES_DEMANDED} rules`, () => {
    expect(new Set(allMutations.map(({ rule }) => rule)).size).toBeGreaterThanOrEqual(RULES_DEMANDED);
  });

  it('have each a name of its own', () => {
    const names = allMutations.map(({ rule, name }) => `B${rule} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(allMutations)('B$rule, $name: finds what it changes, once', (mutation) => {
    const source = repository.read(mutation.file);
    expect(mutated(source, mutation)).not.toBe(source);
  });

  it.each(allMutations)('B$rule, $name: has a spec that names the rule', ({ rule, spec }) => {
    const named = repository.testsIn(spec).some((test) => rulesNamedIn(fullName(test)).includes(rule));
    // A contract's tests stand in the contract, not in the specs that call it.
    expect(named || repository.wordsIn(spec).has('@skein/testing')).toBe(true);
  });
});
