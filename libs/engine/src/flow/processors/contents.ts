import { copyJson } from '../../json/copy-json';
import { readContents, shareContents } from '../../model/shared-contents';
import { insertBeforeLastUserMessage } from '../contents/insert-before-last-user-message';
import { insertDynamicInstruction } from '../contents/insert-dynamic-instruction';
import { tellHistory } from '../contents/tell-history';
import { type RequestProcessor } from '../request-processor';

/** The conversation so far as this agent sees it, with what this run and this turn add to it (B1-B13). */
export const contentsProcessor: RequestProcessor = {
  name: 'contents',
  run(agent, { session, branch, runConfig }, request) {
    const history = tellHistory(session.events, {
      agentName: agent.name,
      branch,
      includeContents: agent.includeContents,
      includeThoughtsFromOtherAgents: runConfig.includeThoughtsFromOtherAgents,
    });
    const modelInputContext = (runConfig.modelInputContext ?? []).map(copyJson);
    const contents = insertBeforeLastUserMessage(history, modelInputContext);
    // What the instructions processor left here is a dynamic instruction.
    shareContents(request, insertDynamicInstruction(contents, readContents(request)));
  },
};
