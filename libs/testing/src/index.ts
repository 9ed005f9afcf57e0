export { aRequest, anEvent, saying } from './builders';
export { collect } from './collect';
export { artifactServiceContract } from './contracts/artifact-service.contract';
export { sessionServiceContract } from './contracts/session-service.contract';
export { type FakeAnswer, FakeLlm } from './fake-llm';
export { RecordingJournal } from './recording-journal';
export { calls, partial, text } from './responses';
export { aSession, INVOCATION_ID, runTurn, type Turn, type TurnOptions } from './run-turn';
