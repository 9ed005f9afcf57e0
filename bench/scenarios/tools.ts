import { type Measured } from '../report';
import { measureOnStack } from '../with-stack';
import { measureBlockedLoop } from './tools/blocked-loop';
import { measureHop } from './tools/hop';
import { measureNoisyNeighbour } from './tools/noisy-neighbour';
import { measureScaling } from './tools/scaling';

/** What the tool plane costs, how it scales, and what one tool or one user does to the others. */
export async function measureTools(): Promise<Measured> {
  const hop = await measureOnStack({}, measureHop);
  const figures = {
    ...hop.figures,
    ...(await measureScaling()),
    ...(await measureNoisyNeighbour()),
    ...(await measureBlockedLoop()),
  };
  return { ...hop, figures };
}
