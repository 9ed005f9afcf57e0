import { runService, startTelemetry } from '@skein/platform';

startTelemetry('skein-tool-worker'); // Before the imports below, which load what it instruments.

import { toolWorkerConfig } from './config';
import { startToolWorker } from './start-tool-worker';

void runService({
  name: 'tool-worker',
  config: toolWorkerConfig,
  beginsThreads: true,
  start: startToolWorker,
});
