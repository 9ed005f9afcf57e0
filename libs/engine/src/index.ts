export { assertAgentTree, findAgent, parentMap, walkAgents } from './agent/agent-tree';
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
export { Context, type ContextOptions } from './agent/context';
export { ReadonlyContext } from './agent/readonly-context';
export { type ContextScope } from './agent/context-scope';
export { CustomAgent, type CustomAgentConfig } from './agent/custom-agent';
export { type Invocation } from './agent/invocation';
export { storableProgress, type ToolReporter } from './agent/tool-reporter';
export { type ActivationOverrides, InvocationContext, isInvocationContext } from './agent/invocation-context';
export { isLlmAgent } from './agent/is-llm-agent';
export { LlmAgent } from './agent/llm-agent';
export type { Instruction, InstructionProvider, LlmAgentConfig, ToolUnion } from './agent/llm-agent-config';
export { LoopAgent, type LoopAgentConfig } from './agent/loop-agent';
export { ParallelAgent } from './agent/parallel-agent';
export { type AgentRouter, RoutedAgent, type RoutedAgentConfig } from './agent/routed-agent';
export { SequentialAgent } from './agent/sequential-agent';
export { type StepOfEvent } from './agent/step-of-event';
export { LlmCallsLimitExceededError } from './agent/llm-call-counter';
export {
  App,
  type AppConfig,
  isApp,
  type OnDivergence,
  type ResumabilityConfig,
  type RunnableApp,
} from './app/app';
export { ArtifactMetadata } from './artifact/artifact-metadata';
export { assertArtifactName } from './artifact/artifact-name';
export {
  type ArtifactName,
  ArtifactService,
  type ArtifactVersion,
  type LoadArtifact,
  type SaveArtifact,
} from './artifact/artifact-service';
export { type ArtifactReference, artifactUri, referenceIn } from './artifact/artifact-uri';
export { isEmptyPart, resolveArtifact } from './artifact/resolve-artifact';
export { InMemoryArtifactService } from './artifact/in-memory-artifact-service';
export { type AuthConfig, type AuthCredential, REQUEST_CREDENTIAL } from './auth/auth-config';
export {
  BaseCodeExecutor,
  type CodeExecutionInput,
  type CodeExecutionResult,
  type CodeExecutorOptions,
} from './code-executor/base-code-executor';
export { CODE_EXECUTION, CodeExecutionTool } from './code-executor/code-execution-tool';
export {
  BaseEventsSummarizer,
  type EventsSummary,
  type SummarizeEventsRequest,
} from './compaction/base-events-summarizer';
export { type EventsCompactionConfig } from './compaction/events-compaction-config';
export { LlmEventSummarizer, type LlmEventSummarizerParams } from './compaction/llm-event-summarizer';
export { asError, describeError } from './error/describe-error';
export { applyActions } from './event/apply-actions';
export { createEvent, createEventActions, type CreateEventParams } from './event/create-event';
export { getFunctionCalls, getFunctionResponses } from './event/function-parts';
export { isFinalResponse } from './event/is-final-response';
export { CONTEXT_HEADER } from './flow/contents/convert-foreign';
export { toldBytes } from './flow/contents/tell-history';
export { REQUEST_CONFIRMATION } from './flow/request-events';
export { resolveTools } from './flow/resolve-tools';
export { BaseLlmRequestProcessor, type PlacedRequestProcessor, type Place } from './flow/request-processor';
export { BaseLlmResponseProcessor, type PlacedResponseProcessor } from './flow/response-processor';
export { dispatchIdOf, eventIdOf } from './journal/event-id';
export { Frame } from './journal/frame';
export { Journal, type StagedEvent, type StagedRecord } from './journal/journal';
export { SessionServiceJournal } from './journal/session-service-journal';
export { cleanJson } from './json/clean-json';
export { InMemoryMemoryService } from './memory/in-memory-memory-service';
export { MemoryService, type SearchMemoryRequest, type SearchMemoryResponse } from './memory/memory-service';
export { MAX_MEMORIES, type Remembered, rememberEvent, wordsOf } from './memory/remember-event';
export { BaseLlm, isBaseLlm } from './model/base-llm';
export { LLMRegistry } from './model/llm-registry';
export {
  appendInstructions,
  type GenerateContentConfig,
  type LlmRequest,
  type RequestOrigin,
} from './model/llm-request';
export type { LlmResponse } from './model/llm-response';
export { readContents, requestLike } from './model/shared-contents';
export { aggregateStream, StreamAggregator } from './model/stream-aggregator';
export { BasePlanner } from './planner/base-planner';
export { BuiltInPlanner, type ThinkingConfig } from './planner/built-in-planner';
export { PlanReActPlanner } from './planner/plan-re-act-planner';
export {
  type AgentHookParams,
  BasePlugin,
  isBasePlugin,
  type ModelHookParams,
  type PluginHook,
  type PluginHooks,
  type RunHookParams,
  type ToolHookParams,
} from './plugin/base-plugin';
export {
  type ContentsFilter,
  type ContextFilterOptions,
  ContextFilterPlugin,
} from './plugin/context-filter.plugin';
export { GlobalInstructionPlugin } from './plugin/global-instruction.plugin';
export { LoggingPlugin, type LoggingPluginOptions } from './plugin/logging.plugin';
export { PluginManager } from './plugin/plugin-manager';
export {
  type ReflectAndRetryOptions,
  ReflectAndRetryToolPlugin,
  type TrackingScope,
} from './plugin/reflect-and-retry.plugin';
export { SaveFilesAsArtifactsPlugin } from './plugin/save-files-as-artifacts.plugin';
export {
  type BasePolicyEngine,
  InMemoryPolicyEngine,
  type PolicyCheckResult,
  PolicyOutcome,
  SecurityPlugin,
  type ToolCallPolicyContext,
} from './plugin/security.plugin';
export { checkMessage } from './runner/check-message';
export { endCancelled, cancelledError } from './runner/end-cancelled';
export { InMemoryRunner } from './runner/in-memory-runner';
export { isWaiting } from './runner/is-waiting';
export {
  type ArtifactBefore,
  artifactsToRestore,
  type DeltasOfEvent,
  stateRestoringDelta,
} from './runner/rewind-deltas';
export { rewindSession, type RewindRequest, type RewindServices } from './runner/rewind-session';
export { runInvocation } from './runner/run-invocation';
export { type SegmentInput } from './runner/segment-input';
export { Runner, type RunnerConfig, type RunParams } from './runner/runner';
export { applyEvent, insertEvent } from './session/apply-event';
export { InMemorySessionService } from './session/in-memory-session-service';
export { SessionService } from './session/session-service';
export { foldSessionState } from './state/fold-state';
export { State } from './state/state';
export {
  mergeState,
  type ScopedState,
  separateTemp,
  splitState,
  type StateRecord,
} from './state/state-scope';
export { type LogLine, LOG_LINES } from './telemetry/log';
export { observed, type Operation, type OperationKind } from './telemetry/operations';
export { captureContent } from './telemetry/content-capture';
export { RunLeft, type SpanPlace } from './telemetry/open-span';
export { traced, traceGenerator } from './telemetry/trace';
export { warn, type Warning, WARNINGS } from './telemetry/warn';
export { BaseTool, type BaseToolParams, isBaseTool, type RunToolRequest } from './tool/base-tool';
export { AgentTool, type AgentToolParams } from './tool/agent-tool';
export { closeIdleToolsets, closeToolsets } from './tool/close-toolsets';
export { BaseToolset, type BaseToolsetParams, isBaseToolset, type ToolFilter } from './tool/base-toolset';
export { BaseExampleProvider, type Example, ExampleTool, isBaseExampleProvider } from './tool/example-tool';
export { EXIT_LOOP, ExitLoopTool } from './tool/exit-loop-tool';
export type { FunctionDeclaration, JsonSchema, ParametersSchema } from './tool/function-declaration';
export { declaredOnly, type SiftedActions } from './tool/declared-actions';
export { tellUndeclared } from './tool/tell-undeclared';
export { isRemoteTool, RemoteTool, type RemoteToolParams } from './tool/remote-tool';
export { FunctionTool, type FunctionToolParams, type ToolArguments } from './tool/function-tool';
export { fromGenaiSchema } from './tool/genai-schema';
export { assertToolOptions, type ToolAction, type ToolOptions, type ToolRetry } from './tool/tool-options';
export { getUserChoiceTool } from './tool/get-user-choice-tool';
export { InProcessToolExecutor } from './tool/in-process-tool-executor';
export { LOAD_ARTIFACTS, LoadArtifactsTool } from './tool/load-artifacts-tool';
export { LOAD_MEMORY, LoadMemoryTool } from './tool/load-memory-tool';
export { storableActions } from './tool/storable-actions';
export { storableResult } from './tool/storable-result';
export { LongRunningFunctionTool } from './tool/long-running-function-tool';
export { refuseArguments } from './tool/refuse-arguments';
export { PRELOAD_MEMORY, PreloadMemoryTool } from './tool/preload-memory-tool';
export { type ExecutedCall, type ToolCall, ToolExecutor } from './tool/tool-executor';
