import { randomBytes } from 'node:crypto';
import { getContainerRuntimeClient } from 'testcontainers';
import { waitUntil } from '../../support/wait-until';
import { ownerLabels } from './leftovers';

const FLEET_LABEL = 'skein.test.fleet';
const VOLUMES = ['payloads', 'reads'] as const;
type Volume = (typeof VOLUMES)[number];

export type NetworkName = 'bus' | 'tools' | 'data';

/** The networks and volumes of one fleet, as docker-compose.yml has them. */
export class Networks {
  private constructor(
    /** In the names of everything the fleet makes. */
    readonly prefix: string,
    private readonly ids: Readonly<Record<NetworkName, string>>,
  ) {}

  static async make(): Promise<Networks> {
    const prefix = `skein-test-${randomBytes(4).toString('hex')}`;
    const { dockerode } = (await getContainerRuntimeClient()).container;
    const make = async (name: NetworkName): Promise<string> => {
      const network = await dockerode.createNetwork({ Name: `${prefix}-${name}`, Labels: ownerLabels });
      return network.id;
    };
    const networks = new Networks(prefix, {
      bus: await make('bus'),
      tools: await make('tools'),
      data: await make('data'),
    });
    for (const volume of VOLUMES)
      await dockerode.createVolume({ Name: networks.volume(volume), Labels: ownerLabels });
    return networks;
  }

  /** On every container of the fleet. */
  get labels(): Readonly<Record<string, string>> {
    return { ...ownerLabels, [FLEET_LABEL]: this.prefix };
  }

  idOf(name: NetworkName): string {
    return this.ids[name];
  }

  volume(name: Volume): string {
    return `${this.prefix}-${name}`;
  }

  /** With every container in them, also one whose start failed. */
  async remove(): Promise<void> {
    const { dockerode } = (await getContainerRuntimeClient()).container;
    const filters = { label: [`${FLEET_LABEL}=${this.prefix}`] };
    const containers = await dockerode.listContainers({ all: true, filters });
    await Promise.all(
      containers.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })),
    );
    for (const id of Object.values(this.ids)) {
      await waitUntil(`network ${id} to be removed`, () => isRemoved(dockerode.getNetwork(id)));
    }
    for (const volume of VOLUMES) await dockerode.getVolume(this.volume(volume)).remove();
  }
}

interface EngineNetwork {
  inspect(): Promise<{ readonly Containers?: Readonly<Record<string, { readonly Name: string }>> }>;
  disconnect(endpoint: { readonly Container: string; readonly Force: true }): Promise<unknown>;
  remove(): Promise<unknown>;
}

/** Not while a container is in it. The engine may keep the place of one that is gone, until that is taken away as well. */
async function isRemoved(network: EngineNetwork): Promise<boolean> {
  const { Containers = {} } = await network.inspect();
  for (const { Name } of Object.values(Containers)) {
    await network.disconnect({ Container: Name, Force: true }).catch(() => undefined); // It has left.
  }
  try {
    await network.remove();
    return true;
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 403) return false;
    throw error;
  }
}
