import { figureOf, noteOf, shown, shownWithSpread, table } from './reports.mjs';

/** How each contestant's figures begin. */
const CONTESTANTS = [
  ['Skein', ''],
  ['Skein, with a tool that may change something', 'put'],
  ['Restate', 'restate'],
  ['DBOS', 'dbos'],
  ['`@google/adk` on PostgreSQL', 'adkJs'],
  ['`@google/adk` in memory, nothing stored', 'adkJsInMemory'],
  ['the bare hops of our design', 'skeleton'],
];
const LIMITS = [
  ['plain batched SQL, events/s', 'limitSqlEventsPerSecond'],
  ['NATS request-reply, p50, ms', 'limitRequestReplyP50Ms'],
  ['NATS request-reply, /s', 'limitRequestRepliesPerSecond'],
  ['JetStream publish, p50, ms', 'limitJetStreamPublishP50Ms'],
  ['JetStream publish, /s', 'limitJetStreamPublishesPerSecond'],
  ['JetStream consume, /s', 'limitJetStreamConsumedPerSecond'],
];

export function turnSection(reports) {
  const measured = CONTESTANTS.filter(
    ([, prefix]) => figureOf(reports, path(prefix, 'p50Ms1')) !== undefined,
  );
  const rows = measured.map(([name, prefix]) => [
    name,
    ...['turnsPerSecond64', 'p50Ms1', 'p99Ms1', 'p50Ms64'].map((figure) =>
      shownWithSpread(reports, path(prefix, figure)),
    ),
    shown(figureOf(reports, path(prefix, 'commitsPerTurn'))).replace('not measured', '–'),
  ]);
  const head = ['', 'turns/s at 64', 'p50 alone, ms', 'p99 alone, ms', 'p50 at 64, ms', 'commits a turn'];
  const limits = LIMITS.filter(([, figure]) => figureOf(reports, `turn.${figure}`) !== undefined).map(
    ([what, figure]) => [what, shownWithSpread(reports, `turn.${figure}`)],
  );
  return [
    '## A turn, beside the peers and the limits',
    noteOf(reports, 'turn').replace('-- turn`', '-- turn --peers`'),
    versions(reports),
    "All that runs on Node, the peers' programs too, has the young generation that our services have ([ADR 30](adr/0030-turns-end-before-the-young-generation-is-full.md)), keeps it as long ([ADR 33](adr/0033-a-service-that-rests-keeps-its-memory.md)) and is compiled as early ([ADR 38](adr/0038-what-runs-often-is-compiled-early.md)), the peers from their first line on; none of them says anything of it.",
    "From a session's second turn on a run of ours begins while its input is stored ([ADR 40](adr/0040-a-runner-begins-before-its-input-is-stored.md)). In the first row the call of the tool leaves while it is stored as well ([ADR 39](adr/0039-a-call-that-only-reads-leaves-while-it-is-stored.md)), and its result is heard by then ([ADR 41](adr/0041-a-result-is-heard-before-its-call-is-stored.md)). In the second it leaves then, too, and begins once it is stored ([ADR 44](adr/0044-a-worker-holds-a-call-until-it-is-stored.md)), as with each peer that stores. The client hears of nothing before it is stored.",
    'In brackets the least and the greatest of the rounds. Commits as `pg_stat_database` counts them, transactions that only read too.',
    table(head, rows),
    ...(limits.length > 0 ? ['What PostgreSQL and NATS take by themselves:', table(['', ''], limits)] : []),
  ].join('\n\n');
}

function path(prefix, figure) {
  return `turn.${prefix === '' ? figure : prefix + figure[0].toUpperCase() + figure.slice(1)}`;
}

function versions(reports) {
  const { peers } = reports.get('turn')?.machine ?? {};
  if (!peers) return 'The peers are not measured in this report.';
  return `Versions: ${Object.entries(peers)
    .map(([name, version]) => `\`${name}\` ${version}`)
    .join(', ')}.`;
}
