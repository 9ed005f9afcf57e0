import { round } from '../../report';

const TOP = 8;
const PROFILER = 'dispatch (native)';
/** Nothing to do, and the profiler itself as it begins and ends. */
const NOT_AT_WORK: ReadonlySet<string> = new Set(['(idle)', PROFILER]);

/** As far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The functions that took most of the time a process was at work, each without what it called, in percent. */
export function topFunctions({ nodes, samples, timeDeltas }: CpuProfile): Readonly<Record<string, number>> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  samples.forEach((id, n) => {
    const name = names.get(id) ?? '(unknown)';
    if (!NOT_AT_WORK.has(name)) times.set(name, (times.get(name) ?? 0) + (timeDeltas[n] ?? 0));
  });
  const atWork = [...times.values()].reduce((sum, time) => sum + time, 0);
  const ranked = [...times].sort(([, one], [, other]) => other - one).slice(0, TOP);
  return Object.fromEntries(ranked.map(([name, time]) => [name, round((100 * time) / atWork)]));
}

/** A program is one file, so that its line tells the nameless apart; Node's own modules and functions say what they are. */
function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? `line ${lineNumber + 1}` : functionName;
  if (url === '' && !name.startsWith('(')) return `${name} (native)`;
  return url.startsWith('node:') ? `${name} (${url})` : name;
}
