import { runService, startTelemetry } from '@skein/platform';

startTelemetry('skein-runner'); // Before the imports below, which load what it instruments.

import { runnerConfig } from './config';
import { startRunner } from './start-runner';

void runService({ name: 'runner', config: runnerConfig, start: startRunner });
