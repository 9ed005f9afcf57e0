export { waitsUntilStored } from './append/calls-ahead';
export { lacksState, readCallsToSend } from './append/calls-to-send';
export { AppendBatcher, type AppendBatcherOptions } from './append/append-batcher';
export { type StoredChain } from './append/stored-chain';
export { type CallPlace, type PublishedHead } from './append/chain';
export { sessionKeyOf } from './append/unit-queue';
export { createDataSource, openStore, poolOf, type Store, type StoreOptions } from './data-source';
export { type Pool as StorePool } from 'pg';
export { POOL_SURPLUS } from './pool-defaults';
export { givenUp } from './given-up';
export { beginAnew } from './sql/begin-anew';
export { migrate, type MigrationDirection } from './migrate';
export {
  type Admission,
  admitCalls,
  listWaitingPools,
  listWaitingTools,
  type WaitingTool,
} from './sql/admit-calls';
export { addToMemory } from './sql/add-to-memory';
export {
  deleteArtifact,
  describeArtifact,
  findArtifact,
  listArtifacts,
  listArtifactVersions,
  recordArtifact,
} from './sql/artifacts';
export { beginTool } from './sql/begin-tool';
export {
  cancelInvocation,
  type CancelledInvocation,
  type Cancelling,
  endOverdueCancel,
  findOverdueCancels,
} from './sql/cancel-invocation';
export { claimInTurn } from './sql/claim-in-turn';
export { claimInvocation } from './sql/claim-invocation';
export { closeLeftCalls } from './sql/close-left-calls';
export { countDeadLetters } from './sql/count-dead-letters';
export { countImported, type ImportedCounts } from './sql/count-imported';
export { createSession } from './sql/create-session';
export { deleteSession } from './sql/delete-session';
export { discardDeadLetter } from './sql/discard-dead-letter';
export { expireLeases, type Expired } from './sql/expire-leases';
export { findOrphans, forgetDropped, readInstallation } from './sql/find-orphans';
export { forgetDeadLetters } from './sql/forget-dead-letters';
export { findUnpublished, type UnpublishedSession } from './sql/find-unpublished';
export { listOpenTools, type OpenTool } from './sql/list-open-tools';
export { listSessions } from './sql/list-sessions';
export { markPublished, type Published } from './sql/mark-published';
export { measureCallsOf, measureToolCalls, type OpenCalls } from './sql/measure-tool-calls';
export { measureWork, type WorkInHand } from './sql/measure-work';
export { noteRewound, noteStreamBirths, readRewound } from './sql/note-stream-births';
export { type CallHolder, readCallHolder } from './sql/read-call-holder';
export { readClock } from './sql/read-clock';
export { readEventPage } from './sql/read-event-page';
export { readEvents } from './sql/read-events';
export { type ClaimedRun, type HeldClaim, readHandover } from './sql/read-handover';
export { findExisting, importSession } from './sql/import-session';
export { importState } from './sql/import-state';
export { inspectDeadLetter } from './sql/inspect-dead-letter';
export { inspectInvocation } from './sql/inspect-invocation';
export { listDeadLetters } from './sql/list-dead-letters';
export { listInvocations } from './sql/list-invocations';
export { readInvocation } from './sql/read-invocation';
export { type BegunCall, noteBegunCalls } from './sql/note-begun-calls';
export { type NotStartedCall, readNotStartedCalls } from './sql/read-not-started-calls';
export { type DuePosition } from './sql/due-page';
export { readOpenCall } from './sql/read-open-call';
export { readOverdueCalls } from './sql/read-overdue-calls';
export { readOwner } from './sql/read-owner';
export { readSession } from './sql/read-session';
export {
  confirmSent,
  readAdmittedCalls,
  readUnsentCalls,
  type SentCall,
  type UnsentCall,
  type UnsentOptions,
} from './sql/read-unsent-calls';
export { type StoredUnit } from './sql/read-unit';
export { markForwarded, readUnappliedResults, type UnappliedPosition } from './sql/read-unapplied-results';
export {
  confirmRedriven,
  readAdmittedRedrives,
  readUnsentRedrives,
  redriveDeadLetter,
  type UnsentRedrive,
} from './sql/redrive-dead-letter';
export { releaseInvocation, unclaimInvocation } from './sql/release-invocation';
export { renewLeases } from './sql/renew-leases';
export { searchMemory } from './sql/search-memory';
export { type BeginAgain, beginAgain } from './sql/begin-again';
export { type BackInQueue, countMisses, returnCall, returnRedriven } from './sql/return-call';
export { retryCall, type RetryVerdict } from './sql/retry-call';
export { rewindPublished } from './sql/rewind-published';
export { rewindSession } from './sql/rewind-session';
export { standInLine } from './sql/stand-in-line';
export { endLetterless, endOverdueRedrives, storeRedriven } from './sql/store-redriven';
export { storeResult, type ResultDisposition, type StoreResultOptions } from './sql/store-result';
export { type ClaimGuess, type SessionHead } from './submit/claim-guess';
export { SubmitBatcher } from './submit/submit-batcher';
export { submitInput, type SubmitOptions, type SubmitOutcome } from './sql/submit-input';
export { type StaleQueued, touchStaleQueued } from './sql/touch-stale-queued';
export {
  isGenuine,
  isRedrive,
  mintAheadTicket,
  mintRedriveTicket,
  mintTicket,
  purposeOf,
  type TicketPurpose,
} from './ticket';
export { mayPass } from './translate-error';
export { writeEvent, type WrittenEvent } from './sql/write-event';
