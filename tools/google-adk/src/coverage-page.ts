import { code, table } from '../../coverage/src/markdown';
import { type Comparison } from './compare-packages';
import { type Difference } from './compare-types';
import { howItDiffers, OTHERWISE } from './how-it-differs';
import { notCovered } from './not-covered';

type Exported = Comparison['exports'][number];

const HEAD = `# What of @google/adk is here

Every export of npm's \`@google/adk\` 2.0.0, the class members, constructor options and fields counted, and whether an agent that
uses it runs with \`@skein/adk\` in its place: with an import changed, or unchanged unless \`ADK_COMPAT\`
is \`false\` ([settings](names.md)). A class or a type is covered where each option of theirs is taken, each member is there, and
what it takes and gives fits by its type; what differs is named.

This page is generated: \`npm run google-adk-coverage\` compares the two packages with the compiler;
\`npm run test:compat\` fails where they have moved since.
`;

/** The page of what npm's package has, as the repository holds it. */
export function coveragePage({ exports, differences }: Comparison): string {
  const entries = exports.map((exported) => {
    const own = differences.filter(({ place }) => /^\w+/.exec(place)?.[0] === exported.name);
    return { exported, own, status: statusOf(exported, own) };
  });
  const counts = (['covered', 'differs', 'not covered'] as const).map(
    (status) => `${String(entries.filter((entry) => entry.status === status).length)} ${status}`,
  );
  const rows = entries.map(({ exported, own, status }) => [
    code(exported.name),
    exported.kind,
    String(exported.options.length || ''),
    String(exported.members.length || ''),
    status,
    status === 'not covered' ? whyNot(exported.name) : differencesIn(own),
  ]);
  const total = `${String(exports.length)} exports: ${counts.join(', ')}.`;
  return `${HEAD}\n${total}\n\n${table(['export', 'is a', 'options', 'members', '', ''], rows)}\n`;
}

function statusOf({ shared }: Exported, own: readonly Difference[]): 'covered' | 'differs' | 'not covered' {
  if (!shared) return 'not covered';
  return own.length === 0 ? 'covered' : 'differs';
}

function whyNot(name: string): string {
  return notCovered.find(({ names }) => names.includes(name))?.why ?? 'Not taken over yet.';
}

/** `options a, b: why; c, d: why`, a reason once. */
function differencesIn(own: readonly Difference[]): string {
  const reasons = new Set(own.map(({ place }) => howOf(place)));
  const said = [...reasons].map((how) => {
    const places = own.filter(({ place }) => howOf(place) === how).map(shown);
    return `${places.join(', ')}: ${how}`;
  });
  return said.join('; ');
}

function howOf(place: string): string {
  return howItDiffers.find(({ places }) => places.test(place))?.how ?? OTHERWISE;
}

/** `LlmAgent(model)` as its option, `LlmAgent.tools` as its member, `createEvent` as its type. */
function shown({ place, lacks }: Difference): string {
  const [, option, member] = /^\w+(?:\((\w+)\)|\.(\w+))?$/.exec(place) ?? [];
  const what = option === undefined ? (member ?? 'type') : `option ${option}`;
  return `${lacks ? 'no ' : ''}${code(what)}`;
}
