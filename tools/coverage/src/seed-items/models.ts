import { type SeedGroup } from './seed-item';

const engine = 'libs/engine/src/model';
const gemini = 'libs/models/src/gemini';
const scripted = 'libs/models/src/scripted';

/** ADK.Model and its providers. */
export const models: SeedGroup = {
  title: 'Models',
  items: [
    {
      item: 'ADK.Model, the behaviour',
      named: '000',
      file: `${engine}/base-llm.ts`,
      symbol: 'BaseLlm',
      fields: { 'name/1': 'model', 'generate_content/3': 'generateContentAsync', stream: 'stream' },
      test: [`${scripted}/scripted-llm.model.spec.ts`, 'answers by the ordinal of the request'],
    },
    {
      item: 'ADK.Model.LlmRequest',
      named: '000',
      file: `${engine}/llm-request.ts`,
      symbol: 'LlmRequest',
      fields: {
        model: 'model',
        system_instruction: 'systemInstruction',
        contents: 'contents',
        config: 'config',
        'config.temperature': 'temperature',
        'config.tools.function_declarations': 'functionDeclarations',
        tools: 'toolsDict',
      },
      test: ['libs/engine/src/flow/llm-flow.spec.ts', 'tells each request whose it is'],
    },
    {
      item: 'ADK.Model.LlmResponse',
      named: '000',
      file: `${engine}/llm-response.ts`,
      symbol: 'LlmResponse',
      fields: {
        content: 'content',
        partial: 'partial',
        turn_complete: 'turnComplete',
        error_code: 'errorCode',
        error_message: 'errorMessage',
        custom_metadata: 'customMetadata',
        usage_metadata: 'usageMetadata',
        citation_metadata: 'citationMetadata',
        grounding_metadata: 'groundingMetadata',
        interrupted: 'interrupted',
      },
      test: ['libs/engine/src/flow/read-answer.spec.ts', 'keeps what it knows, and fields it does not know'],
    },
    {
      item: 'ADK.Model.Mock, Mock.new(responses: [...]): responses one after another',
      named: '000, 002',
      file: `${scripted}/scripted-llm.model.ts`,
      symbol: 'ScriptedLlm',
      fields: { responses: 'responses' },
      test: [`${scripted}/scripted-llm.model.spec.ts`, 'answers by the ordinal of the request'],
    },
    {
      item: 'ADK.Model.Mock: falls back when its list is exhausted',
      named: '000',
      file: `${scripted}/scripted-llm.model.ts`,
      symbol: 'SCRIPT_EXHAUSTED',
      departure: 'mock',
      test: [`${scripted}/scripted-llm.model.spec.ts`, 'says SCRIPT_EXHAUSTED when it runs out'],
    },
    {
      item: 'ADK.Model.Gemini: generateContent with a key and a base URL',
      named: '000, 002',
      file: `${gemini}/gemini.model.ts`,
      symbol: 'Gemini',
      fields: { base_url: 'baseUrl', key: 'apiKey' },
      test: [`${gemini}/gemini.model.spec.ts`, 'asks with the key it was configured with'],
    },
    {
      item: 'ADK.Model.Gemini: writes functionCall, functionResponse, text, inlineData',
      named: '000',
      file: `${gemini}/to-gemini-part.ts`,
      symbol: 'toGeminiPart',
      fields: { functionCall: 'functionCall', functionResponse: 'functionResponse' },
      test: [`${gemini}/to-gemini-request.spec.ts`, 'strips the call ids the engine gave'],
    },
    {
      item: 'ADK.Model.Gemini: reads candidates',
      named: '000',
      file: `${gemini}/from-gemini-response.ts`,
      symbol: 'fromGeminiResponse',
      fields: { candidates: 'candidates' },
      test: [`${gemini}/from-gemini-response.spec.ts`, 'keeps text and calls, reason, usage and version'],
    },
    {
      item: 'ADK.Model.Claude: messages with x-api-key, tool_use and tool_result, top-level system',
      named: '000, 002',
      later: 'comes with the step on model providers',
    },
    {
      item: 'OpenAI',
      named: '002',
      file: 'libs/models/src/openai/openai-llm.model.ts',
      symbol: 'OpenAILlm',
      test: ['libs/models/src/openai/openai-llm.model.spec.ts', 'asks with the key it was configured with'],
    },
    { item: 'LiteLlm', named: '002', departure: 'lite-llm' },
    {
      item: 'ADK.Model.Registry: name to provider',
      named: '000',
      file: `${engine}/llm-registry.ts`,
      symbol: 'LLMRegistry',
      test: [`${gemini}/gemini.model.spec.ts`, 'is found by name'],
    },
  ],
};
