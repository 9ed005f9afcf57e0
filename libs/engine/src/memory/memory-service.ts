import { type FoundMemories, type SearchMemory, type Session } from '@skein/contracts';

export type SearchMemoryRequest = SearchMemory;
export type SearchMemoryResponse = FoundMemories;

/** What users said in earlier sessions. An implementation passes the memory contract of `@skein/testing`. */
export abstract class MemoryService {
  /** Takes a session's events that have text; added again, they replace what was taken of it before. */
  abstract addSessionToMemory(session: Session): Promise<void>;

  /**
   * What shares at least one word with the query, of all sessions of this app and user that were added (B61): the oldest
   * first; of very many the newest.
   */
  abstract searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse>;
}
