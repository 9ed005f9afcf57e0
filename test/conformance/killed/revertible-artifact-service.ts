import { type ArtifactName, InMemoryArtifactService, type SaveArtifact } from '@skein/engine';

type Change = { readonly save: SaveArtifact } | { readonly remove: ArtifactName };

/** Artifacts that can be had as they were after so many changes. */
export class RevertibleArtifactService extends InMemoryArtifactService {
  readonly #changes: Change[] = [];

  /** Changes so far. */
  get saves(): number {
    return this.#changes.length;
  }

  async revertedTo(changes: number): Promise<RevertibleArtifactService> {
    const reverted = new RevertibleArtifactService();
    for (const change of this.#changes.slice(0, changes)) {
      if ('save' in change) await reverted.saveArtifact(change.save);
      else await reverted.deleteArtifact(change.remove);
    }
    return reverted;
  }

  override async saveArtifact(save: SaveArtifact): Promise<number> {
    const version = await super.saveArtifact(save);
    this.#changes.push({ save: structuredClone(save) });
    return version;
  }

  override async deleteArtifact(remove: ArtifactName): Promise<void> {
    await super.deleteArtifact(remove);
    this.#changes.push({ remove });
  }
}
