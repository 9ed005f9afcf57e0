export { parseSourceObject } from './event/source-json';
export { toEvent, type ToEventOptions } from './event/to-event';
export { openSource } from './open-source';
export {
  MAX_EVENT_BYTES,
  RowProblem,
  type SessionSource,
  type SourceCounts,
  SourceError,
  type SourceSession,
  type SourceState,
} from './session-source';
