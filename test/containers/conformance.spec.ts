import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cases } from '../conformance/cases';
import { factsOf } from '../conformance/facts';
import { InProcessFolder } from '../conformance/in-process-folder';
import { play } from '../conformance/play';
import { type Played } from '../conformance/played';
import { ServicesStage } from '../conformance/services-stage';
import { sideBySide } from '../conformance/side-by-side';
import { writeAgents } from '../support/skein';
import { ContainerFleet } from './support/container-fleet';

const AT_ONCE = 6;

describe('an agent behaves in containers as it does in one process', () => {
  const agentsDir = mkdtempSync(path.join(tmpdir(), 'skein-agents-'));
  const there = new Map<string, PromiseSettledResult<Played>>();
  let fleet: ContainerFleet;
  let folder: InProcessFolder;

  beforeAll(async () => {
    writeAgents(agentsDir, Object.fromEntries(cases.map(({ name, source }) => [name, source])));
    chmodSync(agentsDir, 0o755); // The services read it under a user of their own.
    folder = new InProcessFolder(cases);
    fleet = await ContainerFleet.start({ agentsDir });
    const results = await sideBySide(cases, AT_ONCE, (one) =>
      play(one, new ServicesStage(fleet.url, one.name, fleet.modelLog)),
    );
    results.forEach((result, index) => there.set(cases[index]?.name ?? '', result));
  }, 600_000);

  afterAll(async () => {
    await fleet?.stop();
    folder?.remove();
    rmSync(agentsDir, { recursive: true, force: true });
  }, 120_000);

  it.each(cases)('$says', async (one) => {
    const here = await play(one, await folder.stageOf(one.name));

    const result = there.get(one.name);
    if (result?.status !== 'fulfilled') throw result?.reason;
    expect(factsOf(result.value, one.expect)).toEqual(one.expect);
    expect(result.value).toEqual(here);
  });
});
