/** Exports of @google/adk that @skein/adk has not, by the reason. */
export const notCovered: readonly { readonly why: string; readonly names: readonly string[] }[] = [
  group(
    'The A2A protocol is not here.',
    `A2AAgentExecutor A2AStreamEventData A2aUserBuilder AGENT_CARD_PATH AfterA2ARequestCallback AfterEventCallback
     AfterExecuteCallback AgentExecutorConfig BeforeA2ARequestCallback BeforeExecuteCallback ExecutorContext
     RemoteA2AAgent RemoteA2AAgentConfig RunnerOrRunnerConfig ToA2aOptions bearerTokenUserBuilder getA2AAgentCard toA2a`,
  ),
  group(
    'It is a client of a service of Google Cloud, which no test here could reach.',
    `AGENT_REGISTRY_BASE_URL AgentEngineSandboxCodeExecutor AgentEngineSandboxCodeExecutorOptions AgentInfo AgentRegistry
     AgentRegistrySingleMCPToolset AgentSkillMetadata ApigeeLlm ApigeeLlmParams Binding ConnectionUriFilter
     ConnectionUriResult Endpoint GCPSkillRegistry GCPSkillRegistryOptions GCP_MCP_SERVER_DESTINATION_ID
     GcpAuthProviderScheme Interface ListAgentsResponse ListBindingsResponse ListEndpointsResponse ListMcpServersResponse
     McpServer ProtocolType VertexAiCreateSessionRequest VertexAiMemoryBankService VertexAiMemoryBankServiceOptions
     VertexAiSessionService VertexAiSessionServiceOptions VertexRagRetrievalTool cleanName getGcpExporters getGcpResource
     isGoogleApi GcsArtifactService`,
  ),
  group(
    'Graphs of nodes are not here: an order of one’s own is a CustomAgent, whose steps are `ctx.step`.',
    `BaseNode BaseNodeConfig BranchPath BuildNodeOptions ChainElement CreateNodeErrorEventParams DEFAULT_ROUTE DynamicEntry
     Edge EdgeItem ErrorClass FunctionNode FunctionNodeConfig FunctionNodeHandler FunctionNodeResult Graph JoinNode
     NodeContext NodeContextOptions NodeErrorEvent NodeInfo NodeLike NodeOptions NodeReportedError NodeResult
     NodeSchemaValidationError NodeState NodeStatus NodeTimeoutError NodeTool ParallelWorker ParallelWorkerConfig
     PreparedRetryConfig RequestInput RequestInputParams RetryConfig Route RouteKey RouteValue RoutingMap RunNodeOptions
     RunnableNode RunnableRoot START ScheduleDynamicNode ScheduleDynamicNodeOptions ToolNode ToolNodeConfig Workflow
     WorkflowConfig WorkflowInstructionScope WorkflowNode asRunnableRoot commonPrefixOf createNodeErrorEvent
     createNodeState createSubBranch isNodeErrorEvent isNodeReportedError isNodeSchemaValidationError isNodeState
     isNodeTimeoutError isRequestInput isRunnableRoot isWorkflow node normalizeRetryExceptions prepareRetryConfig
     FINISH_TASK_SUCCESS_RESULT FINISH_TASK_TOOL_NAME FinishTaskTool Task TaskExecutable`,
  ),
  group(
    'Live (bidirectional) sessions are not here.',
    `ActiveStreamingTool ActiveStreamingToolParams AsyncQueue isGemini3xFlashLive BaseLlmConnection LiveRequest LiveRequestQueue
     TranscriptionEntry`,
  ),
  group(
    'Skills and the environments their scripts run in are not here.',
    `BaseEnvironment ExecutionResult Frontmatter ListSkillsTool LoadSkillResourceTool LoadSkillTool LocalEnvironment
     LocalEnvironmentOptions Resources RunSkillInlineScriptErrorCode RunSkillInlineScriptTool RunSkillScriptTool Script
     SearchSkillsTool Skill SkillRegistry SkillToolset loadAllSkillsInDir loadSkillFromDir loadSkillFromZipBuffer
     validateSkillDir`,
  ),
  group(
    'Codes and clients of OAuth are exchanged and refreshed by the toolset itself; no part of that is for authors.',
    `AUTH_PREPROCESSOR AuthHandler AuthPreprocessor AuthProviderRegistry BaseAuthProvider BaseCredentialExchanger
     BaseCredentialRefresher BaseCredentialService CredentialExchangeError CredentialRefresherRegistry ExchangeResult
     InMemoryCredentialService OAuth2CredentialExchanger OAuth2DiscoveryManager OpenIdConnectWithConfig
     SessionStateCredentialService OAuthGrantType`,
  ),
  group(
    'Stored events are compacted, for every agent of an app: `eventsCompactionConfig` of App.',
    `AgentControlledContextCompactor AnchoredContextCompactor AnchoredContextCompactorOptions BaseContextCompactor
     BaseSummarizer CompactedEvent ConsolidateContextTool ContextCompactionTrigger ContextCompactorRequestProcessor
     LlmSummarizer LlmSummarizerOptions TokenBasedContextCompactor TokenBasedContextCompactorOptions
     TrajectoryThoughtPruningCompactor TrajectoryThoughtPruningCompactorOptions TruncatingContextCompactor
     TruncatingContextCompactorOptions isCompactedEvent isScratchpadEvent`,
  ),
  group(
    'It is an inner part of @google/adk’s flow or runner; Skein’s are others.',
    `AgentTransferLlmRequestProcessor CONTENT_REQUEST_PROCESSOR ContentRequestProcessor INTERACTIONS_REQUEST_PROCESSOR
     InteractionsRequestProcessor InvocationContextParams determineAgentForResumption findEventByLastFunctionResponseId
     functionsExportedForTestingOnly getClientLabels isRoutableLlmAgent requireAgent runWithClientLabel`,
  ),
  group(
    'The running installation brings its own: PostgreSQL for sessions, files or S3 for artifacts.',
    'DatabaseSessionService FileArtifactService getArtifactServiceFromUri getSessionServiceFromUri',
  ),
  group(
    'The services export traces themselves: `OTEL_*`.',
    'OTelHooks OtelExportersConfig maybeSetOtelProviders',
  ),
  group(
    'Its fields are in the type of what holds them.',
    `AppendEventRequest GetSessionConfig HttpAuth HttpCredentials ListSessionsResponse OAuth2Auth ServiceAccount
     ServiceAccountCredential SessionArtifactService SessionLoadArtifactRequest SessionSaveArtifactRequest AuthScheme
     ExecuteCodeParams BaseLlmType CodeExecutionLanguage File FileContentEncoding`,
  ),
  group(
    'Vertex AI’s search is not here.',
    `DataStoreParams SearchEngineParams VertexAISearchConfig VertexAISearchDataStoreSpec VertexAiSearchTool
     VertexAiSearchToolParams`,
  ),
  group(
    'An answer that fits no question is refused before it is stored, with a code `message.*`; a call runs with its own arguments.',
    'IntentMismatchError IntentMismatchReason isIntentMismatchError',
  ),
  group(
    'A question to the user is a call of `getUserChoiceTool` or of a LongRunningFunctionTool of the author.',
    'REQUEST_INPUT_FUNCTION_CALL_NAME requestInputTool',
  ),
  group('A zod schema is taken as it is, and made JSON Schema by the engine.', 'zodObjectToSchema'),
  group('State has no schema.', 'StateSchemaError isStateSchemaError'),
  group(
    'Nothing here is behind a feature flag.',
    `FeatureConfig FeatureName FeatureStage getFeatureConfig isFeatureEnabled overrideFeatureEnabled registerFeature
     withTemporaryFeatureOverride`,
  ),
];

function group(why: string, names: string): { why: string; names: string[] } {
  return { why, names: names.split(/\s+/) };
}
