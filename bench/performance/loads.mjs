import { figureOf, noteOf, shown, table } from './reports.mjs';

/** The scenarios whose figures are shown as they are, with what is asked. */
const LOADS = [
  [
    'tools',
    'Tool calls',
    'What a durable hop to a tool costs, how it scales, and what one tool or user does to the others.',
  ],
  [
    'append',
    'Appends',
    'Events a second that the store takes in group commits, beside plain batched SQL. The time to make the events up counts for neither, that to encode them only for ours. Medians of 9 rounds in turns; the ratio is the median of theirs, too.',
  ],
  [
    'history',
    'Old sessions',
    'Whether a turn costs more in a session of 1,000 or 10,000 events than in one of 10.',
  ],
  [
    'sessions',
    'Many sessions',
    'Whether a turn costs more where 10,000 sessions are stored, and what memory an idle one takes.',
  ],
  ['stream', 'Streams', 'What lies between a model’s token and its reader.'],
  [
    'waking',
    '10,000 sessions wake at once',
    'What somebody who waits for an answer notices of it. Runners take a limited number of turns at a time (`RUNNER_CONCURRENCY`), and sweeps come half to one and a half periods apart. While all runners are full, turns are begun users in turn ([ADR 24](adr/0024-runs-wait-in-line-by-user.md)); each then shares the processors with all that run.',
  ],
  [
    'soak',
    'Hours of steady load',
    'Whether memory stays flat, event loops stay free, and nothing is left undone.',
  ],
  ['scale', 'Several processes of a service', 'What it costs a turn that its work is shared.'],
  ['artifacts', 'Artifacts', 'A gigabyte in and out through a gateway, and the memory it takes.'],
  ['start', 'Start', 'From a fresh clone to the first answer.'],
];

export function introduction(reports) {
  const { machine } = reports.get('turn');
  const memory = machine.memoryGigabytes === undefined ? '' : `, ${shown(machine.memoryGigabytes)} GB`;
  return `# Performance

Written by \`node bench/write-performance.mjs\` from the reports in \`docs/figures\`, which \`npm run figures\` makes anew; a test
compares them. Everything runs on one machine, the client too: ${machine.cpus} x ${machine.model}${memory}, Node ${machine.node},
PostgreSQL ${machine.postgres} with fsync on, NATS ${machine.nats}; every app is a process of its own. A machine is faster in one hour than in
another, so what counts are the ratios to what was measured in the same run. How each is measured is in \`bench/scenarios\`; what its
figures are called, in [names](reference/names.md#scripts-and-bench).`;
}

export function loadSections(reports) {
  return LOADS.map(([suite, title, asked]) =>
    [`## ${title}`, `${asked} ${noteOf(reports, suite)}`, figuresTable(reports, suite)].join('\n\n'),
  ).join('\n\n');
}

/** Figures that are given for several, as \`name of\`, stand in one row. */
function figuresTable(reports, suite) {
  const names = Object.keys(reports.get(suite)?.figures ?? {});
  if (names.length === 0) return '';
  const rows = new Map();
  for (const name of names) {
    const [figure, ...of] = name.split(' ');
    const value = shown(figureOf(reports, `${suite}.${name}`));
    const cell = of.length > 0 ? `${of.join(' ')}: ${value}` : value;
    rows.set(figure, [...(rows.get(figure) ?? []), cell]);
  }
  return table(
    ['figure', ''],
    [...rows].map(([figure, cells]) => [`\`${figure}\``, cells.join('<br>')]),
  );
}
