import { figureOf, noteOf, shown, shownWithSpread, table } from './reports.mjs';

const SERVICES = ['gateway', 'session-svc', 'runner', 'tool-worker', 'postgres', 'nats'];
const LAYERS = [...SERVICES, 'client'];

/** Where the processor time of a turn goes, what bounds a machine by that, and what follows for several. */
export function processorSections(reports) {
  const title = '## Where the processor time of a turn goes';
  if (!reports.has('cpu')) return [title, noteOf(reports, 'cpu')].join('\n\n');
  return [
    ...[title, noteOf(reports, 'cpu'), layers(reports), functions(reports)],
    ...['## What bounds it now', bound(reports)],
    ...['## With more machines: a model', model(reports)],
  ].join('\n\n');
}

const ours = (reports, layer) => figureOf(reports, `cpu.processorMsPerTurn ${layer}`) ?? 0;
const skeletons = (reports, layer) => figureOf(reports, `cpu.skeletonProcessorMsPerTurn ${layer}`) ?? 0;

function layers(reports) {
  const distance = LAYERS.reduce((sum, layer) => sum + ours(reports, layer) - skeletons(reports, layer), 0);
  const rows = LAYERS.map((layer) => {
    const more = ours(reports, layer) - skeletons(reports, layer);
    return [
      layer,
      shownWithSpread(reports, `cpu.processorMsPerTurn ${layer}`),
      shownWithSpread(reports, `cpu.skeletonProcessorMsPerTurn ${layer}`),
      shown(more),
      `${Math.round((100 * more) / distance)}%`,
    ];
  });
  const all = ['all', 'processorMsPerTurn', 'skeletonProcessorMsPerTurn'];
  rows.push([
    all[0],
    ...all.slice(1).map((name) => shownWithSpread(reports, `cpu.${name} all`)),
    shown(distance),
    '',
  ]);
  return table(['ms a turn', 'ours', 'the bare hops', 'distance', 'share of it'], rows);
}

function functions(reports) {
  const rows = Object.entries(reports.get('cpu').samples ?? {}).map(([name, top]) => [
    name,
    Object.entries(top)
      .map(([of, percent]) => `\`${of}\` ${shown(percent)}%`)
      .join(', '),
  ]);
  return `The functions that take most of each process by themselves:\n\n${table(['', ''], rows)}`;
}

function bound(reports) {
  const { cpus } = reports.get('cpu').machine;
  const perSecond = figureOf(reports, 'cpu.turnsPerSecond64');
  const busy = (perSecond * figureOf(reports, 'cpu.processorMsPerTurn all')) / 1_000;
  const [first, second] = LAYERS.toSorted((one, other) => ours(reports, other) - ours(reports, one));
  const full = Math.round((100 * busy) / cpus);
  return (
    `With 64 turns in flight, ${shown(perSecond)} turns/s use ${shown(busy)} of the ${cpus} cores (${full}%). ` +
    (full >= 85
      ? 'So the processors bound it: a turn is as dear as the work of its processes, and no wait is left to hide. '
      : 'The rest of the time it waits: for the disk, or for each other. ') +
    `Most of it is ${first} (${shown(ours(reports, first))} ms) and ${second} (${shown(ours(reports, second))} ms).`
  );
}

function model(reports) {
  const rows = SERVICES.map((service) => {
    const ms = ours(reports, service);
    return [service, shown(ms), shown(1_000 / ms), shown(ms)];
  });
  const limit = 1_000 / ours(reports, 'postgres');
  return [
    'This is a model, not a measurement: it takes the processor time of a turn from the table above, gives each service machines of its own, and assumes that a turn costs the same there.',
    table(['', 'ms a turn', 'turns/s of one core', 'cores for 1,000 turns/s'], rows),
    'Gateways, session-svc, runners and tool workers are started as often as they are needed; a session is at home in any of them. ' +
      `PostgreSQL is one: each of its cores gives ${shown(limit)} turns/s, until its disk bounds it. ` +
      'What the model leaves out: the network between machines, batches that get smaller where the load is spread over several session-svc, and models and tools that take time of their own. What a shared turn costs on the same two cores is under [Several processes of a service](#several-processes-of-a-service): more than here.',
  ].join('\n\n');
}
