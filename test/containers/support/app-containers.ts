import { type AppName, type NatsAccess } from '@skein/stack';
import { Wait } from 'testcontainers';
import { ContainerProcess } from './container-process';
import { ControlledContainer } from './controlled-container';
import { type Door, type Doors } from './doors';
import { images } from './images';
import { MeshContainer } from './mesh-container';
import { type NetworkName, type Networks } from './networks';
import { INSIDE, S3_ENVIRONMENT, SECRET } from './start-servers';

export interface AppContainersOptions {
  readonly gateways?: number;
  readonly sessionServices?: number;
  readonly runners?: number;
  readonly toolWorkers?: number;
  readonly agentsDir: string;
  /** A folder that the agents write to, and the tests read. */
  readonly notes: string;
  /** Of whom each app has its own name and password on the NATS server. */
  readonly access: NatsAccess;
  readonly env?: Readonly<Record<string, string>>;
}

/** One container that is to run, as `runner-2`. */
export interface PlannedApp {
  readonly name: string;
  readonly app: AppName;
}

/** As docker-compose.yml has them; the first is the one in which an app reaches NATS. */
export const NETWORKS: Readonly<Record<AppName, readonly [NetworkName, ...NetworkName[]]>> = {
  'session-svc': ['bus', 'data'],
  runner: ['tools'],
  'tool-worker': ['tools'],
  gateway: ['bus'],
};
/** Of what is stored while NATS is away. */
const READERS: readonly AppName[] = ['session-svc', 'gateway'];
const PORT = 8000;
const HEALTH_PORT = 8001;
/** The image's own check, which starts a process every five seconds, where nobody waits for it. */
const SELDOM: Parameters<MeshContainer['withHealthCheck']>[0] = {
  test: ['CMD', 'node', '/app/tools/image/healthcheck.mjs'],
  interval: 60_000,
};

const IS_READY = / is ready"/;

/** The services of a fleet as containers of the project's image. */
export class AppContainers {
  constructor(
    private readonly options: AppContainersOptions,
    private readonly networks: Networks,
  ) {}

  /** Those of a group start together; session-svc first, since the others ask it at their start. */
  groups(): PlannedApp[][] {
    const { gateways = 1, sessionServices = 1, runners = 2, toolWorkers = 2 } = this.options;
    const counts: readonly (readonly [AppName, number])[] = [
      ['session-svc', sessionServices],
      ['runner', runners],
      ['tool-worker', toolWorkers],
      ['gateway', gateways],
    ];
    return counts.map(([app, count]) =>
      Array.from({ length: count }, (_, index) => ({ name: `${app}-${index + 1}`, app })),
    );
  }

  doors(): Door[] {
    return this.groups()
      .flat()
      .flatMap(({ name, app }) => [
        { host: name, to: HEALTH_PORT },
        ...(app === 'gateway' ? [{ host: name, to: PORT }] : []),
      ]);
  }

  /** Brings the schema up to date; throws when its container fails. */
  async migrate(): Promise<void> {
    await new MeshContainer(images.skein, 'migrate', this.networks, ['data'])
      .withCommand(['migrate', 'up'])
      .withEnvironment({ DATABASE_URL: INSIDE.DATABASE_URL })
      .withWaitStrategy(Wait.forOneShotStartup())
      .start();
  }

  async start(
    { name, app }: PlannedApp,
    doors: Doors,
    onLine: (line: string) => void,
  ): Promise<ContainerProcess> {
    const container = await ControlledContainer.start({
      name,
      container: this.#containerOf(name, app),
      isUp: IS_READY,
      onLine,
    });
    const url = app === 'gateway' ? `http://${doors.addressOf({ host: name, to: PORT })}` : '';
    const healthUrl = `http://${doors.addressOf({ host: name, to: HEALTH_PORT })}`;
    return new ContainerProcess({ app, container, url, healthUrl, onLine });
  }

  #containerOf(name: string, app: AppName): MeshContainer {
    const { agentsDir, notes } = this.options;
    const shared = READERS.includes(app) ? (['payloads', 'reads'] as const) : (['payloads'] as const);
    return new MeshContainer(images.skein, name, this.networks, NETWORKS[app])
      .withBounds()
      .withCommand([app])
      .withEnvironment(this.#environmentOf(name, app))
      .withBindMounts([
        { source: agentsDir, target: '/agents', mode: 'ro' },
        { source: notes, target: '/notes' },
        ...shared.map((volume) => ({ source: this.networks.volume(volume), target: `/data/${volume}` })),
      ])
      .withHealthCheck(SELDOM)
      .withWaitStrategy(Wait.forLogMessage(IS_READY));
  }

  #environmentOf(name: string, app: AppName): Record<string, string> {
    const { access, env } = this.options;
    return {
      NATS_URL: access.urlOf(INSIDE.NATS_URL, app),
      SKEIN_PROCESS_NAME: name,
      SCRIPTED_LLM_LOG: '/notes/requests.jsonl',
      EFFECTS_FILE: '/notes/effects.jsonl',
      ...S3_ENVIRONMENT,
      ...(app === 'session-svc' && { DATABASE_URL: INSIDE.DATABASE_URL, SKEIN_SECRET: SECRET }),
      // The door, and through it the loopback of this machine, is all that leads to it.
      ...(app === 'gateway' && { ALLOW_UNAUTHENTICATED: 'true' }),
      ...env,
    };
  }
}
