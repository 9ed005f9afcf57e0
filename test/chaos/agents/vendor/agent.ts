import { Gemini, LlmAgent } from '@skein/adk';

/** Its vendor is a server of the test's, which fails as it is told. */
export const rootAgent = new LlmAgent({
  name: 'vendor',
  model: new Gemini({
    model: 'gemini-fake',
    apiKey: 'a key',
    baseUrl: process.env.FAKE_MODEL_URL ?? '',
    // Scaled down from two minutes.
    connectTimeoutMs: 800,
    idleTimeoutMs: 800,
  }),
});
