import { LlmAgent } from '@skein/adk';
import { TickerLlm } from './ticker-llm';

/** Says nothing but the time, as often as it is asked to. */
export const rootAgent = new LlmAgent({
  name: 'ticker',
  description: 'Streams the time at which each of its tokens is due.',
  model: new TickerLlm(),
});
