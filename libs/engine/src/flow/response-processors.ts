import { codeExecutionResponseProcessor } from './processors/code-execution';
import { planningResponseProcessor } from './processors/planning';
import { insertAtPlaces } from './request-processor';
import { type PlacedResponseProcessor, type ResponseProcessor } from './response-processor';

/** What a model's answer passes on its way to an event. */
export const responseProcessors: readonly ResponseProcessor[] = [
  // First, because it may take calls out of the answer, and code in a plan is not yet meant to run.
  planningResponseProcessor,
  codeExecutionResponseProcessor,
];

/** The pipeline of one agent, with the steps its author adds. */
export function orderResponseProcessors(
  placed: readonly PlacedResponseProcessor[] = [],
): readonly ResponseProcessor[] {
  return insertAtPlaces(
    responseProcessors,
    placed.map(({ processor, ...place }) => ({
      ...place,
      step: {
        name: processor.constructor.name,
        run: (_agent, context, response) => processor.runAsync(context, response),
      },
    })),
  );
}
