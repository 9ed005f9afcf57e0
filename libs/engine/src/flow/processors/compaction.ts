import { compactionStep } from '../../compaction/compaction-step';
import { type RequestProcessor } from '../request-processor';

/** Summarises what has grown too long for the model, before the history is read (B8). */
export const compactionProcessor: RequestProcessor = {
  name: 'compaction',
  run: (_agent, context) =>
    context.invocation.app.eventsCompactionConfig && compactionStep('token-threshold', context),
};
