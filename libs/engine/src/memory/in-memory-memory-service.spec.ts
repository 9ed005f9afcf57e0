import { memoryServiceContract } from '@skein/testing';
import { InMemoryMemoryService } from './in-memory-memory-service';

memoryServiceContract('InMemoryMemoryService', () => new InMemoryMemoryService());
