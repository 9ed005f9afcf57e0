import { modelSettingsFrom } from './model-settings';

describe('modelSettingsFrom', () => {
  it("reads keys, base URLs, the script's log and the bound of answers by their names in the environment", () => {
    const environment = {
      GEMINI_API_KEY: 'k',
      GEMINI_BASE_URL: 'http://localhost:1',
      SCRIPTED_LLM_LOG: '/tmp/log',
      MODEL_ANSWER_LIMIT_BYTES: '2048',
    };

    expect(modelSettingsFrom(environment)).toEqual({
      apiKeys: { gemini: 'k' },
      baseUrls: { gemini: 'http://localhost:1' },
      scriptedLog: '/tmp/log',
      maxAnswerBytes: 2_048,
    });
  });

  it('prefers GOOGLE_API_KEY where both keys are set, as Google does', () => {
    expect(modelSettingsFrom({ GEMINI_API_KEY: 'a', GOOGLE_API_KEY: 'b' }).apiKeys).toEqual({ gemini: 'b' });
  });

  it('needs nothing', () => {
    expect(modelSettingsFrom({})).toEqual({ apiKeys: {}, baseUrls: {} });
  });
});
