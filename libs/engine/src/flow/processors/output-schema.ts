import { Context } from '../../agent/context';
import { appendInstructions } from '../../model/llm-request';
import { SetModelResponseTool } from '../../tool/set-model-response-tool';
import { type RequestProcessor } from '../request-processor';

const INSTRUCTION =
  'Give your final answer by calling the tool set_model_response with all of its fields. ' +
  'Use the other tools first when you need them.';

/** With tools beside it, an agent's answer gets its shape from a tool the model calls to give it (B38). */
export const outputSchemaProcessor: RequestProcessor = {
  name: 'output-schema',
  run(agent, context, request) {
    if (!agent.output || agent.tools.length === 0) return undefined;
    appendInstructions(request, [INSTRUCTION]);
    const tool = new SetModelResponseTool(agent.output);
    return tool.processLlmRequest({ toolContext: new Context(context), llmRequest: request });
  },
};
