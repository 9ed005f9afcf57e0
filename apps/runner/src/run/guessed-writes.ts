import { AdkError, type Part, retryTransient, type Session, type SessionKey } from '@skein/contracts';
import {
  type ArtifactName,
  ArtifactService,
  type ArtifactVersion,
  type LoadArtifact,
  MemoryService,
  type SaveArtifact,
  type SearchMemoryRequest,
  type SearchMemoryResponse,
} from '@skein/engine';
import { type SessionRpc } from '@skein/session-client';
import { type ActiveRun } from './active-run';

export interface WriteServices {
  readonly artifacts: ArtifactService;
  readonly memory: MemoryService;
}

interface Asked {
  readonly runnerId: string;
  readonly rpc: Pick<SessionRpc, 'renew'>;
}

/** The claim of a guess is made within milliseconds, or never: then the run is stopped. */
const ASK_AGAIN = { firstDelayMs: 5, maxDelayMs: 200 };

/**
 * What a run writes beside its log, which no fence keeps. Of a run that was begun by a guess (ADR 40) it waits until the claim is
 * made; where there is none it rejects as the run is stopped, and nothing is written.
 */
export function writesOf(
  run: ActiveRun,
  { artifacts, memory, ...asked }: WriteServices & Asked,
): WriteServices {
  if (!run.isGuessed) return { artifacts, memory };
  let claimed: Promise<void> | undefined;
  const untilClaimed = (): Promise<void> => (claimed ??= claimOf(run, asked));
  return {
    artifacts: new GuessedArtifactService(artifacts, untilClaimed),
    memory: new GuessedMemoryService(memory, untilClaimed),
  };
}

async function claimOf({ handover, stopSignal }: ActiveRun, { rpc, runnerId }: Asked): Promise<void> {
  const { invocationId, epoch } = handover;
  const ask = async (): Promise<void> => {
    const { held } = await rpc.renew({ runnerId, leases: [{ invocationId, epoch }] });
    if (held.includes(invocationId)) return;
    throw new AdkError('unavailable', 'run.unclaimed', 'This run has no claim yet.');
  };
  await retryTransient(ask, { ...ASK_AGAIN, signal: stopSignal });
}

class GuessedArtifactService extends ArtifactService {
  constructor(
    private readonly artifacts: ArtifactService,
    private readonly untilClaimed: () => Promise<void>,
  ) {
    super();
  }

  override async saveArtifact(request: SaveArtifact): Promise<number> {
    await this.untilClaimed();
    return this.artifacts.saveArtifact(request);
  }

  override async deleteArtifact(request: ArtifactName): Promise<void> {
    await this.untilClaimed();
    return this.artifacts.deleteArtifact(request);
  }

  override loadArtifact(request: LoadArtifact): Promise<Part | undefined> {
    return this.artifacts.loadArtifact(request);
  }

  override listArtifactKeys(request: SessionKey): Promise<string[]> {
    return this.artifacts.listArtifactKeys(request);
  }

  override listVersions(request: ArtifactName): Promise<number[]> {
    return this.artifacts.listVersions(request);
  }

  override listArtifactVersions(request: ArtifactName): Promise<ArtifactVersion[]> {
    return this.artifacts.listArtifactVersions(request);
  }

  override getArtifactVersion(request: LoadArtifact): Promise<ArtifactVersion | undefined> {
    return this.artifacts.getArtifactVersion(request);
  }
}

class GuessedMemoryService extends MemoryService {
  constructor(
    private readonly memory: MemoryService,
    private readonly untilClaimed: () => Promise<void>,
  ) {
    super();
  }

  override async addSessionToMemory(session: Session): Promise<void> {
    await this.untilClaimed();
    return this.memory.addSessionToMemory(session);
  }

  override searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    return this.memory.searchMemory(request);
  }
}
