import path from 'node:path';
import { Skein } from '../support/skein';
import { cases } from './cases';
import { factsOf } from './facts';
import { InProcessFolder } from './in-process-folder';
import { play } from './play';
import { type Played } from './played';
import { ServicesStage } from './services-stage';
import { sideBySide } from './side-by-side';

const AT_ONCE = 6;
const FOUR_MINUTES = 240_000;

describe('an agent behaves over four services as it does in one process', () => {
  let skein: Skein;
  let folder: InProcessFolder;
  const there = new Map<string, PromiseSettledResult<Played>>();

  beforeAll(async () => {
    folder = new InProcessFolder(cases);
    skein = await Skein.start({
      agents: Object.fromEntries(cases.map(({ name, source }) => [name, source])),
    });
    const logFile = path.join(skein.dataDir, 'requests.jsonl');
    const results = await sideBySide(cases, AT_ONCE, (one) =>
      play(one, new ServicesStage(skein.url, one.name, logFile)),
    );
    results.forEach((result, index) => there.set(cases[index]?.name ?? '', result));
  }, FOUR_MINUTES);

  afterAll(async () => {
    await skein?.stop();
    folder?.remove();
  }, 60_000);

  it.each(cases)('$says', async (one) => {
    const here = await play(one, await folder.stageOf(one.name));

    const result = there.get(one.name);
    if (result?.status !== 'fulfilled') throw result?.reason;
    expect(factsOf(result.value, one.expect)).toEqual(one.expect);
    expect(result.value).toEqual(here);
  });
});
