import { runService, startTelemetry } from '@skein/platform';

startTelemetry('skein-gateway'); // Before the imports below, which load what it instruments.

import { gatewayConfig } from './config';
import { startGateway } from './start-gateway';

void runService({ name: 'gateway', config: gatewayConfig, start: startGateway });
