import { isDeepStrictEqual } from 'node:util';
import { cases } from './cases';
import { type Difference, differences } from './differences';
import { comparable, differencesOfForm } from './differences-of-form';
import { inTime } from './in-time';
import { isKnown } from './known-difference';
import { knownDifferences } from './known-differences';
import { normalForm } from './normal-form';
import { play } from './play';
import { playUnderGoogleAdk } from './play-under-google-adk';

type Normal = ReturnType<typeof normalForm>;

const DEADLINE_MS = 60_000;

/** What theirs and ours look like, by the name of the case. */
const played = new Map<string, { readonly theirs: Normal; readonly ours: Normal }>();

beforeAll(async () => {
  const theirs = await playUnderGoogleAdk();
  for (const one of cases) {
    const playing = play(one, await import(`../agents/${one.agent}`));
    const ours = await inTime(playing, one.name, DEADLINE_MS);
    const under = theirs[one.name];
    if (under) played.set(one.name, { theirs: normalForm(under), ours: normalForm(ours) });
  }
}, 600_000);

function differencesOf(name: string, without?: string): Difference[] {
  const { theirs = null, ours = null } = played.get(name) ?? {};
  return differences(comparable(theirs, without), comparable(ours, without));
}

describe('under @google/adk and under Skein, an agent', () => {
  it.each(cases)('that $says: $name', ({ name }) => {
    expect(played.has(name)).toBe(true);
    const known = knownDifferences.flatMap((one) => one.cases[name] ?? []);
    const found = differencesOf(name);
    const matches = (one: Difference, place: Difference): boolean => isKnown(one, place, isDeepStrictEqual);

    expect({
      unlisted: found.filter((one) => !known.some((place) => matches(one, place))),
      gone: known.filter((place) => !found.some((one) => matches(one, place))),
    }).toEqual({ unlisted: [], gone: [] });
  });
});

describe('a known difference', () => {
  it('is of cases that are played', () => {
    const names = new Set(cases.map(({ name }) => name));
    const named = knownDifferences.flatMap((one) => Object.keys(one.cases));

    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(differencesOfForm)('of form is still there: $name', ({ name: form }) => {
    const shows = cases.some(({ name }) => differencesOf(name, form).length > differencesOf(name).length);

    expect(shows).toBe(true);
  });

  it('leaves at least 33 conversations equal, with at least 12 agents', () => {
    const equal = cases.filter(({ name }) => differencesOf(name).length === 0);

    expect(equal.length).toBeGreaterThanOrEqual(33);
    expect(new Set(equal.map(({ agent }) => agent)).size).toBeGreaterThanOrEqual(12);
  });
});
