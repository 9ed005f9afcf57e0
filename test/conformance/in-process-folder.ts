import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AgentLoader } from '@skein/agent-loader';
import { writeAgents } from '../support/skein';
import { type ConformanceCase } from './case';
import { InProcessStage } from './in-process-stage';

/** The agent files of all cases, loaded in this process. */
export class InProcessFolder {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'skein-conformance-'));
  readonly #logFile = path.join(this.#folder, 'requests.jsonl');
  readonly #loader: AgentLoader;

  constructor(cases: readonly ConformanceCase[]) {
    writeAgents(this.#folder, Object.fromEntries(cases.map(({ name, source }) => [name, source])));
    this.#loader = new AgentLoader({
      agentsDir: this.#folder,
      cacheDir: process.env.AGENTS_CACHE_DIR,
      environment: { SCRIPTED_LLM_LOG: this.#logFile },
    });
  }

  async stageOf(appName: string): Promise<InProcessStage> {
    const { app } = await this.#loader.load(appName);
    return new InProcessStage(app, appName, this.#logFile);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
