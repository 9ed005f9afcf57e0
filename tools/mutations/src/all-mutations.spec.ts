import { rules } from '../../coverage/src/rules/rule-groups';
import { fullName, rulesNamedIn } from '../../coverage/src/sources/named-test';
import { Repository } from '../../coverage/src/sources/repository';
import { allMutations } from './all-mutations';
import { mutated } from './mutation';
import { unbrokenRules } from './unbroken-rules';

const repository = new Repository();
const broken = new Set(allMutations.map(({ rule }) => rule));

describe('the mutations', () => {
  it('break every rule, but for those with a reason not to', () => {
    const accounted = [...broken, ...unbrokenRules.keys()].toSorted((one, other) => one - other);
    expect(accounted).toEqual(rules.map(({ number }) => number));
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
