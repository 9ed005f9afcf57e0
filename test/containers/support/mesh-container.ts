import { GenericContainer, getContainerRuntimeClient } from 'testcontainers';
import { type NetworkName, type Networks } from './networks';

/** A container of a fleet, under one name in some of its networks; Testcontainers itself knows of one network. */
export class MeshContainer extends GenericContainer {
  constructor(
    image: string,
    private readonly meshName: string,
    private readonly networks: Networks,
    private readonly memberOf: readonly NetworkName[],
  ) {
    super(image);
    this.withHostname(meshName).withLabels(networks.labels);
  }

  /** What docker-compose.yml keeps every app within. */
  withBounds(): this {
    Object.assign(this.hostConfig, {
      ReadonlyRootfs: true,
      Init: true,
      PidsLimit: 512,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      Tmpfs: { '/tmp': 'rw,size=64m' },
    });
    return this;
  }

  /** Before it starts, so that its first look finds everybody. */
  protected override async containerCreated(id: string): Promise<void> {
    const { container, network } = await getContainerRuntimeClient();
    for (const name of this.memberOf) {
      const joined = network.getById(this.networks.idOf(name));
      await container.connectToNetwork(container.getById(id), joined, [this.meshName]);
    }
  }
}
