/** Why members of what both packages have are missing or differ; the first that matches a place holds. */
export const howItDiffers: readonly { readonly how: string; readonly places: RegExp }[] = [
  {
    how: 'live (bidirectional) sessions are not here',
    places:
      /\.(runLive|runLiveImpl|connect|live\w*|getLiveHttpOptions|BIDI|goAway|(input|output)\w*Transcription|activeStreamingTools|transcriptionCache|contextWindowCompression|enableAffectiveDialog|proactivity|realtimeInputConfig|responseModalities|speechConfig|supportCfc)$/,
  },
  {
    how: 'an agent is no node of a graph',
    places:
      /(\.|\()(isolationScope|preparedRetryConfig|requiresAllPredecessors|rerunOnResume|retryConfig|run|runImpl|stateSchema|timeout|toEvent|validate(Input|Output|Delta)|waitForOutput|nodeInfo|nodeToolDepth|output|route|schema|(before|after)NodeCallback|run(Before|After)NodeCallback|workflowInstructionScope|eventQueue|finishTaskTool|mode|runAndHandleError)\)?$/,
  },
  {
    how: 'stored events are compacted instead: `eventsCompactionConfig` of App',
    places: /contextCompactors|ContextCompaction$/,
  },
  {
    how: 'what of an OpenAPI document tools are made of is typed here; the rest may stand there all the same',
    places:
      /^(OpenAPIToolset|OperationParser|ParsedOperation|RestApiTool|ToolAuthHandler|createRestApiTool)\b/,
  },
  { how: 'credentials are not kept by a service', places: /credentialService$/ },
  {
    how: 'no Interactions API: a conversation is kept with its session, not by the provider',
    places: /Interaction|interactionId/i,
  },
  {
    how: 'what an agent is made of is not changed once it is made',
    places: /^(Agent|LlmAgent|App)\.(tools|requestProcessors|responseProcessors|plugins)$/,
  },
  {
    how: 'Skein’s own processors follow other ones, named by their place',
    places: /Config\.(request|response)Processors$/,
  },
  {
    how: 'the root is an agent, a tool is no node of a graph',
    places: /^(AppOptions\.rootAgent|InMemoryRunner\(agent\)|RunnerConfig\.agent|ToolUnion)$/,
  },
  {
    how: 'it is JSON Schema, whatever the author wrote',
    places: /\._getDeclaration$|\.(input|output)Schema(Source)?$/,
  },
  {
    how: 'it takes more kinds of schema than theirs',
    places: /^(LlmAgentSchema|SchemaLike|ToolInputParameters|RequireConfirmation)$/,
  },
  {
    how: 'said of the app: `resumabilityConfig` of App',
    places: /resumabilityConfig\)?$/,
  },
  {
    how: 'sessions are listed whole, as an array, of one user',
    places: /listSessions$|^ListSessionsRequest/,
  },
  {
    how: 'Skein’s runner makes contexts; no author does',
    places: /^(Context|InvocationContext|State)\(/,
  },
  {
    how: 'the engine calls it, by another way than theirs',
    places:
      /^PluginManager\.|^(Agent|LlmAgent)\.(canonical|callLlmAsync|includeContentsExplicit)|^BaseAgent\.(handle|create)/,
  },
  {
    how: 'an agent stands below the one that lists it in `subAgents`',
    places: /^BaseAgentConfig\.parentAgent$/,
  },
  { how: 'a context that only reads has no `set`', places: /^ReadonlyContext\.state$/ },
  { how: 'the run’s events are stored by its runner alone', places: /^InvocationContext\.sessionService$/ },
  {
    how: 'content and parts are typed as what is stored, in which names and bytes are not missing',
    places: /^(Context\.saveArtifact|SaveArtifactRequest\.artifact|LlmRequest\.contents)$/,
  },
  {
    how: 'code runs with its call’s context, and files are artifacts',
    places: /^(BaseCodeExecutor|CodeExecution\w+|UnsafeLocalCodeExecutor\w*)[.(]/,
  },
];

/** Why a place differs where nothing above says. */
export const OTHERWISE = 'not taken over yet';
