/* eslint-disable require-yield -- a processor may yield events; this one has none. */
import { type RequestProcessor } from '../request-processor';

/** Names the model, lays down a copy of the agent's own generation settings, and the shape its answer has to have. */
export const basicProcessor: RequestProcessor = {
  name: 'basic',
  async *run(agent, _context, request) {
    request.model = agent.canonicalModel.model;
    request.config = { ...structuredClone(agent.generateContentConfig), ...request.config };
    // With tools the shape is asked for by set_model_response: most models cannot be held to a shape and call tools too.
    if (agent.output && agent.tools.length === 0) {
      request.config.responseMimeType = 'application/json';
      request.config.responseJsonSchema = agent.output.jsonSchema;
    }
  },
};
