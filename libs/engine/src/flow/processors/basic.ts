/* eslint-disable require-yield -- a processor may yield events; this one has none. */
import { type RequestProcessor } from '../request-processor';

/** Names the model and lays down a copy of the agent's own generation settings. */
export const basicProcessor: RequestProcessor = {
  name: 'basic',
  async *run(agent, _context, request) {
    request.model = agent.canonicalModel.model;
    request.config = { ...structuredClone(agent.generateContentConfig), ...request.config };
  },
};
