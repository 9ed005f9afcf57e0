import { type CompatCase } from './case';
import { type Difference } from './differences';
import { type DifferenceOfForm } from './differences-of-form';
import { type KnownDifference } from './known-difference';

interface Found {
  readonly cases: readonly CompatCase[];
  readonly ofForm: readonly DifferenceOfForm[];
  readonly known: readonly KnownDifference[];
}

/** Characters of a value. */
const MOST_SHOWN = 100;

/** The page that says how what agents do here differs from what they do under @google/adk. */
export function differencesPage({ cases, ofForm, known }: Found): string {
  const equal = cases.filter(({ name }) => differencesIn(name, known).length === 0);
  const others = cases.filter((one) => !equal.includes(one));
  const pieces = [
    '# How agents differ from @google/adk',
    `${cases.length} conversations with ${agentsOf(cases)} agents, each one file that imports \`@google/adk\`, are played under ` +
      "npm's @google/adk 2.0.0 and under Skein: the same file, answers of its models, and words of its user. What is compared: the events each turn yields, " +
      'what it throws, what the session holds in the end, and each request a model received. ' +
      `${equal.length}, with ${agentsOf(equal)} of the agents, are equal; ${others.length} differ in what is listed here, and a test fails when something is not ` +
      'listed, or listed and gone (`npm run test:compat`). A side that is not named has nothing in that place.',
    'Ids are compared by what they stand for: an invocation by its number, a call by its tool and number, an event by ' +
      'whether it has the id of the event before it.',
    'This page is generated: `npm run google-adk-differences`.',
    '## Equal',
    listOf(equal.map((one) => caseLine(one))),
    '## With differences',
    listOf(others.map((one) => `${caseLine(one)} (${differencesIn(one.name, known).map(link).join(', ')})`)),
    '## In the form of everything',
    'These every agent shows. Both sides are brought to one form before they are compared.',
    ...ofForm.flatMap((one) => [`### ${one.name}`, sides(one)]),
    '## In some cases',
    ...known.flatMap((one) => [
      `### ${one.name}`,
      `${one.kind}.`.replace(/^./, upper),
      sides(one),
      placesOf(one),
    ]),
  ];
  return `${pieces.join('\n\n')}\n`;
}

function differencesIn(name: string, known: readonly KnownDifference[]): string[] {
  return known.filter((one) => name in one.cases).map((one) => one.name);
}

function caseLine({ name, says, agent }: CompatCase): string {
  return `[\`${name}\`](../../test/compat/agents/${agent}.ts): an agent that ${says}`;
}

function link(name: string): string {
  return `[${name}](#${name})`;
}

function sides({ theirs, ours, because }: Pick<KnownDifference, 'theirs' | 'ours' | 'because'>): string {
  return listOf([`@google/adk: ${theirs}`, `Skein: ${ours}`, `Why: ${because}`]);
}

function placesOf({ cases }: KnownDifference): string {
  const lines = Object.entries(cases).flatMap(([name, places]) => [
    `${name}:`,
    ...places.flatMap(placeLines),
  ]);
  return ['```text', ...lines, '```'].join('\n');
}

function placeLines(place: Difference): string[] {
  const sides = (['theirs', 'ours'] as const).filter((side) => side in place);
  return [
    `  ${place.at}`,
    ...sides.map((side) => `    ${`${side}:`.padEnd(7)} ${short(JSON.stringify(place[side]))}`),
  ];
}

function short(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function upper(letter: string): string {
  return letter.toUpperCase();
}

/** How many there are; several conversations may be with one. */
function agentsOf(cases: readonly CompatCase[]): number {
  return new Set(cases.map(({ agent }) => agent)).size;
}
