import { cases } from './cases';
import { factsOf, linesOf } from './facts';
import { InProcessFolder } from './in-process-folder';
import { play } from './play';

describe('an agent in one process', () => {
  let folder: InProcessFolder;

  beforeAll(() => {
    folder = new InProcessFolder(cases);
  });

  afterAll(() => folder?.remove());

  it.each(cases)('$says', async (one) => {
    const played = await play(one, await folder.stageOf(one.name));

    expect(factsOf(played, one.expect)).toEqual(one.expect);
    expect(linesOf(played)).toMatchSnapshot();
  });
});
