import { type GenerateContentConfig } from '../../model/llm-request';
import { type RequestProcessor } from '../request-processor';

/** Names the model, lays down a copy of the agent's own generation settings, and the shape its answer has to have. */
export const basicProcessor: RequestProcessor = {
  name: 'basic',
  run(agent, _context, request) {
    request.model = agent.canonicalModel.model;
    request.config = Object.assign(copyOf(agent.generateContentConfig), request.config);
    // With tools the shape is asked for by set_model_response: most models cannot be held to a shape and call tools too.
    if (agent.output && agent.tools.length === 0) {
      request.config.responseMimeType = 'application/json';
      request.config.responseJsonSchema = agent.output.jsonSchema;
    }
  },
};

/** What an author gave may hold more than JSON; most give nothing. */
function copyOf(settings: GenerateContentConfig): GenerateContentConfig {
  return Object.keys(settings).length === 0 ? {} : structuredClone(settings);
}
