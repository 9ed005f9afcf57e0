import { figureOf, shownWithSpread, table } from './reports.mjs';

/** What the speed of Skein has to show; ratios are ours / theirs, measured in the same run. */
const BARS = [
  ['turns/s at 64 in flight, against Restate', 'turn.throughputVsRestate', { atLeast: 1.3, aim: 2.5 }],
  ['… against DBOS', 'turn.throughputVsDbos', { atLeast: 2, aim: 4 }],
  ['… against `@google/adk` on PostgreSQL', 'turn.throughputVsAdkJs', { atLeast: 7, aim: 13 }],
  ['p50 of a turn alone, against Restate', 'turn.p50VsRestate', { atMost: 0.6, aim: 0.4 }],
  ['… against DBOS', 'turn.p50VsDbos', { atMost: 0.6, aim: 0.45 }],
  ['… against `@google/adk` on PostgreSQL', 'turn.p50VsAdkJs', { atMost: 0.3, aim: 0.2 }],
  [
    '… with a tool that may change something, against Restate',
    'turn.putP50VsRestate',
    { atMost: 0.6, aim: 0.4 },
  ],
  ['… against DBOS', 'turn.putP50VsDbos', { atMost: 0.6, aim: 0.45 }],
  ['… against `@google/adk` on PostgreSQL', 'turn.putP50VsAdkJs', { atMost: 0.3, aim: 0.2 }],
  ['a durable tool hop of a tool that only reads, p50, ms', 'tools.toolHopP50Ms', { atMost: 2 }],
  ['… of a tool that may change something', 'tools.putHopP50Ms', { atMost: 2 }],
  ['… p99, ms', 'tools.toolHopP99Ms', { atMost: 15 }],
  ['appends at the store, events/s', 'append.eventsPerSecond', { atLeast: 10_000 }],
  ['… against plain batched SQL', 'append.vsPlainBatchedSql', { atLeast: 0.6 }],
  ['turn p50 at 1,000 events of history, against 10', 'history.p50Ratio1000', { atMost: 1.3 }],
  ['… at 10,000', 'history.p50Ratio10000', { atMost: 2 }],
  ['first token beyond the model, p50, ms', 'stream.firstTokenOverheadP50Ms', { atMost: 5 }],
  ['200 streams of 50 tokens/s, p99 of the worst, ms', 'stream.worstStreamLagP99Ms200', { atMost: 250 }],
];

export function barsSection(reports) {
  const rows = BARS.map(([what, path, bar]) => {
    const value = figureOf(reports, path);
    const sign = bar.atLeast === undefined ? '≤' : '≥';
    return [
      ...[what, shownWithSpread(reports, path), `${sign} ${bar.atLeast ?? bar.atMost}`],
      bar.aim === undefined ? '' : `${sign} ${bar.aim}`,
      verdict(value, bar),
      `\`${path}\``,
    ];
  });
  const head = ['', 'measured', 'wanted', 'aimed for', '', 'figure'];
  return `## What was wanted, and what is\n\n${table(head, rows)}`;
}

function verdict(value, { atLeast, atMost, aim }) {
  if (value === undefined) return '';
  const reaches = (bar) => (atLeast === undefined ? value <= bar : value >= bar);
  if (!reaches(atLeast ?? atMost)) return '**not reached**';
  return aim !== undefined && reaches(aim) ? 'reached, and the aim' : 'reached';
}
