import { code, table } from '../markdown';
import { departures } from '../seed-items/departures';
import { type SeedGroup, type SeedItem } from '../seed-items/seed-item';
import { type Repository } from '../sources/repository';
import { testNamed } from './check-item';

const HEAD = `# The design documents and where they are found

Every module, struct, field, callback, table, column, behaviour and area of tests that the five design documents name,
with its place here and a test of it, or with the decision that led elsewhere. Names here stand in the order of the
document's. The documents: 000 the architecture of the Elixir ADK, 001 its Postgres sessions, 002 its onboarding guide,
003 the concepts of a second Elixir ADK, 004 an analysis of the Go LlmAgent.

This page is generated: \`npm run seed-coverage\`. Its source, \`tools/coverage/src/seed-items\`, is checked against the
files, the names in them and the tests.
`;

/** The page of the design documents, as the repository holds it. */
export function seedCoveragePage(groups: readonly SeedGroup[], repository: Repository): string {
  const sections = groups.map(({ title, items }) => {
    const entries = items.map((item) => [named(item), ...placeOf(item, repository)].join('\n'));
    return `## ${title}\n\n${entries.join('\n')}`;
  });
  return `${[HEAD.trimEnd(), ...sections, departuresSection()].join('\n\n')}\n`;
}

function named({ item, named: documents, fields = {} }: SeedItem): string {
  return `- **${escaped(item)}** (${documents})${listed(Object.keys(fields))}`;
}

function placeOf(item: SeedItem, repository: Repository): readonly string[] {
  const { file, symbol, fields = {}, test, departure, later, pending } = item;
  const names = [...(symbol === undefined ? [] : [symbol]), ...Object.values(fields)];
  return [
    ...(pending ? ['  - not there yet'] : []),
    ...(file === undefined ? [] : [`  - here: ${code(file)}${listed([...new Set(names)])}`]),
    ...(test === undefined
      ? []
      : [`  - test: ${code(test[0])}: ${code(testNamed(test, repository) ?? test[1])}`]),
    ...(departure === undefined ? [] : [`  - departure: ${departure}`]),
    ...(later === undefined ? [] : [`  - later: ${later}`]),
  ];
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? '' : `: ${names.map((name) => code(name)).join(', ')}`;
}

/** Asterisks would end the bold text; an underscore inside a word is one. */
function escaped(text: string): string {
  return text.replaceAll('*', '\\*');
}

function departuresSection(): string {
  const rows = Object.entries(departures).map(([name, { document, here, why }]) => [
    name,
    document,
    here,
    why,
  ]);
  return `## Departures\n\n${table(['departure', 'document', 'here', 'why'], rows)}`;
}
