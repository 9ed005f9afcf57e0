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
  { how: 'credentials are not kept by a service', places: /credentialService$/ },
  {
    how: 'no Interactions API: a conversation is kept with its session, not by the provider',
    places: /Interaction|interactionId/i,
  },
];

/** Why a place differs where nothing above says. */
export const OTHERWISE = 'not taken over yet';
