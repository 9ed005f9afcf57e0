import { sessionServiceContract } from '@skein/testing';
import { InMemorySessionService } from './in-memory-session-service';

sessionServiceContract('InMemorySessionService', () => new InMemorySessionService());
