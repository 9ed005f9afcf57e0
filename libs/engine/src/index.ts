export { BaseAgent, type BaseAgentConfig, isBaseAgent } from './agent/base-agent';
export type {
  AfterModelCallback,
  AfterToolCallback,
  AgentCallback,
  BeforeModelCallback,
  BeforeToolCallback,
  OneOrMany,
  OnModelErrorCallback,
  OnToolErrorCallback,
} from './agent/callbacks';
export { Context, type ContextOptions, type ContextScope, ReadonlyContext } from './agent/context';
export { type Invocation, InvocationContext, type StepOfEvent } from './agent/invocation-context';
export { type InstructionProvider, LlmAgent, type LlmAgentConfig } from './agent/llm-agent';
export { LlmCallsLimitExceededError } from './agent/llm-call-counter';
export { App, type AppConfig, isApp } from './app/app';
export { ArtifactMetadata } from './artifact/artifact-metadata';
export { assertArtifactName } from './artifact/artifact-name';
export {
  type ArtifactName,
  ArtifactService,
  type LoadArtifact,
  type SaveArtifact,
} from './artifact/artifact-service';
export { InMemoryArtifactService } from './artifact/in-memory-artifact-service';
export { asError, describeError } from './error/describe-error';
export { createEvent, createEventActions, type CreateEventParams } from './event/create-event';
export { getFunctionCalls, getFunctionResponses } from './event/function-parts';
export { isFinalResponse } from './event/is-final-response';
export { dispatchIdOf, eventIdOf } from './journal/event-id';
export { Frame } from './journal/frame';
export { Journal, type StagedEvent } from './journal/journal';
export { SessionServiceJournal } from './journal/session-service-journal';
export { cleanJson, MAX_RESULT_DEPTH } from './json/clean-json';
export { BaseLlm, isBaseLlm } from './model/base-llm';
export { LLMRegistry } from './model/llm-registry';
export type { GenerateContentConfig, LlmRequest, RequestOrigin } from './model/llm-request';
export type { LlmResponse } from './model/llm-response';
export { InMemoryRunner } from './runner/in-memory-runner';
export { runInvocation } from './runner/run-invocation';
export { Runner, type RunnerConfig, type RunParams } from './runner/runner';
export { applyEvent, applyStateDelta } from './session/apply-event';
export { InMemorySessionService } from './session/in-memory-session-service';
export { SessionService } from './session/session-service';
export { State } from './state/state';
export {
  mergeState,
  type ScopedState,
  separateTemp,
  splitState,
  type StateRecord,
} from './state/state-scope';
export { traced, traceGenerator } from './telemetry/trace';
export {
  BaseTool,
  type BaseToolParams,
  isBaseTool,
  type RunToolRequest,
  type ToolOptions,
} from './tool/base-tool';
export type { FunctionDeclaration, JsonSchema, ParametersSchema } from './tool/function-declaration';
export { FunctionTool, type FunctionToolParams, type ToolArguments } from './tool/function-tool';
export { InProcessToolExecutor } from './tool/in-process-tool-executor';
export { type ExecutedCall, type ToolCall, ToolExecutor } from './tool/tool-executor';
