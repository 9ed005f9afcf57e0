import { codeAsText, extractCode } from '../../code-executor/code-blocks';
import { readContents, shareContents } from '../../model/shared-contents';
import { type RequestProcessor } from '../request-processor';
import { type ResponseProcessor } from '../response-processor';

/** Shows the model the code it wrote and what it gave as the text it knows, not as parts only some providers take. */
export const codeExecutionProcessor: RequestProcessor = {
  name: 'code-execution',
  run(agent, _context, request) {
    const executor = agent.codeExecutor;
    if (!executor) return;
    const contents = readContents(request).map((content) => codeAsText(content, executor));
    shareContents(request, contents);
  },
};

/** Takes the first block of code out of a whole answer; what the model made up after it is dropped. */
export const codeExecutionResponseProcessor: ResponseProcessor = {
  name: 'code-execution',
  run(agent, _context, response) {
    if (!agent.codeExecutor || response.partial || !response.content) return;
    response.content = extractCode(response.content, agent.codeExecutor);
  },
};
