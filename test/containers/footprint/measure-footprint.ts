import { setTimeout as pause } from 'node:timers/promises';
import { type AppName } from '@skein/stack';
import { type Figures, quantile, round } from '../../../bench/report';
import { type ServerVersions, versionsOf } from '../../../bench/server-versions';
import { Load } from '../../chaos/support/load';
import { Random } from '../../chaos/support/random';
import { ContainerFleet } from '../support/container-fleet';
import { docker } from '../support/docker';
import { imageMegabytes } from '../support/image-size';
import { images } from '../support/images';

const APPS: readonly AppName[] = ['gateway', 'session-svc', 'runner', 'tool-worker'];
const STARTS = 3;
/** A minute after the first turns, so that what a start leaves behind is collected. */
const SETTLED_MS = 60_000;
const SAMPLE_MS = 1_000;
/** Of what runs can be busy with, all that is short. */
const MESSAGES = ['hello', 'count 3', 'both 40', 'wait 80', 'talk 6 15'];
const USERS = 64;

export interface Footprint extends ServerVersions {
  readonly figures: Figures;
  /** Of the image; the report's own is that of who measures. */
  readonly node: string;
}

/** The size of the image; of each app, seconds from its start to ready, and MB of memory, at rest and at most under load. */
export async function measureFootprint(): Promise<Footprint> {
  const { whole, own } = await imageMegabytes();
  const fleet = await ContainerFleet.start({ runners: 1, toolWorkers: 1 });
  try {
    const readySeconds = await startsOf(fleet);
    await talk(fleet, 4);
    await pause(SETTLED_MS);
    const idle = await residentMegabytes(fleet);
    const busy = await busyMegabytes(fleet);
    return {
      ...(await versionsOf(fleet.databaseUrl, fleet.natsUrl)),
      node: await docker(['run', '--rm', '--entrypoint', 'node', images.skein, '--version']),
      figures: {
        imageMegabytes: whole,
        imageOwnMegabytes: own,
        ...named('readySeconds', readySeconds),
        ...named('idleMegabytes', idle),
        ...named('loadMegabytes', busy),
      },
    };
  } finally {
    await fleet.stop();
  }
}

type PerApp = ReadonlyMap<AppName, number>;

function named(figure: string, values: PerApp): Figures {
  return Object.fromEntries([...values].map(([app, value]) => [`${figure} ${app}`, value]));
}

/** The median of a few starts of each, one at a time, while its servers are there. */
async function startsOf(fleet: ContainerFleet): Promise<PerApp> {
  const seconds = new Map<AppName, number>();
  for (const app of APPS) {
    const one = fleet.one(app);
    const taken: number[] = [];
    for (let n = 0; n < STARTS; n += 1) {
      const pid = await one.kill('SIGTERM');
      await one.untilRestarted(pid);
      taken.push(await one.container.secondsToReady());
    }
    seconds.set(app, quantile(taken, 0.5));
  }
  await fleet.untilReady();
  return seconds;
}

/** Users who talk at the same time, for some turns each. */
async function talk(fleet: ContainerFleet, turns: number): Promise<void> {
  await new Load(fleet, { random: new Random(1), sessions: USERS, turns, messages: MESSAGES }).done;
}

async function busyMegabytes(fleet: ContainerFleet): Promise<PerApp> {
  const most = new Map<AppName, number>();
  let isOver = false;
  const load = talk(fleet, 12).finally(() => (isOver = true));
  while (!isOver) {
    for (const [app, megabytes] of await residentMegabytes(fleet))
      most.set(app, Math.max(megabytes, most.get(app) ?? 0));
    await pause(SAMPLE_MS);
  }
  await load;
  return most;
}

/** The resident memory of each app's own process. */
async function residentMegabytes(fleet: ContainerFleet): Promise<PerApp> {
  const read = async (app: AppName): Promise<readonly [AppName, number]> => {
    const table = await docker(['top', fleet.one(app).container.id, '-o', 'pid,rss']);
    const kilobytes = table
      .split('\n')
      .slice(1)
      .map((line) => Number(line.trim().split(/\s+/)[1]));
    return [app, round(Math.max(...kilobytes) / 1_024)];
  };
  return new Map(await Promise.all(APPS.map(read)));
}
