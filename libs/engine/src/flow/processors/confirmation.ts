import { callInQuestion, readDecision } from '../decision';
import { REQUEST_CONFIRMATION } from '../request-events';
import { type RequestProcessor } from '../request-processor';
import { rerunCalls } from '../rerun-calls';
import { answeredRequests } from '../user-answers';

/** Runs the calls a human was asked about, with what he said, before the model is asked again (B33). */
export const confirmationProcessor: RequestProcessor = {
  name: 'confirmation',
  run(agent, context) {
    const answered = answeredRequests(context, REQUEST_CONFIRMATION);
    if (answered.length === 0) return undefined;
    const waiting = answered.flatMap(({ request, response }) => {
      const call = callInQuestion(request);
      return call ? [{ request, call, confirmation: readDecision(response) }] : [];
    });
    return rerunCalls(agent, context, waiting);
  },
};
