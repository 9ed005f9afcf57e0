import { isDeepStrictEqual } from 'node:util';
import { cases } from './cases';

describe('the cases of conformance', () => {
  it('are at least 120', () => {
    expect(cases.length).toBeGreaterThanOrEqual(120);
  });

  it('have names of their own, since each is an app', () => {
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it('say different things', () => {
    expect(new Set(cases.map(({ says }) => says)).size).toBe(cases.length);
  });

  it('differ in tree and script, or in what their users do', () => {
    const same = cases.flatMap((one, index) =>
      cases
        .slice(index + 1)
        .filter((other) => one.source === other.source && isDeepStrictEqual(one.steps, other.steps))
        .map((other) => `${one.name} = ${other.name}`),
    );

    expect(same).toEqual([]);
  });

  it('name the rules they show', () => {
    const without = cases.filter(({ says }) => !/\(B\d+(, B\d+)*\)$/.test(says)).map(({ name }) => name);

    expect(without).toEqual([]);
  });
});
