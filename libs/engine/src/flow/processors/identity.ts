import { appendInstructions } from '../../model/llm-request';
import { type RequestProcessor } from '../request-processor';

/** Tells the model which agent it is (B25). */
export const identityProcessor: RequestProcessor = {
  name: 'identity',
  run(agent, _context, request) {
    const description = agent.description ? ` The description about you is "${agent.description}".` : '';
    appendInstructions(request, [`You are an agent. Your internal name is "${agent.name}".${description}`]);
  },
};
