import { runService, startTelemetry } from '@skein/platform';

startTelemetry('skein-session-svc'); // Before the imports below, which load what it instruments.

import { sessionServiceConfig } from './config';
import { startSessionService } from './start-session-service';

void runService({ name: 'session-svc', config: sessionServiceConfig, start: startSessionService });
