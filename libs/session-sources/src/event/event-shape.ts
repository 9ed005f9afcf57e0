/**
 * What a value of an event holds: `data` belongs to authors and users and stays as it is; a `model` is of ADK's or of
 * google-genai's own making, through and through; `bytes` are base64. Of a shape's fields those not named are `data`, under
 * a converted key: a field of a newer ADK is kept, and nothing below it is taken for a key of a model.
 */
export type Shape =
  | 'data'
  | 'model'
  | 'bytes'
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly each: Shape }
  /** Keys that are ids or names, over values of one shape. */
  | { readonly values: Shape };

const blob: Shape = { fields: { data: 'bytes' } };

const part: Shape = {
  fields: {
    functionCall: { fields: { args: 'data', partialArgs: 'model' } },
    functionResponse: {
      fields: { response: 'data', parts: { each: { fields: { inlineData: blob, fileData: 'model' } } } },
    },
    toolCall: { fields: { args: 'data' } },
    toolResponse: { fields: { response: 'data' } },
    inlineData: blob,
    thoughtSignature: 'bytes',
    fileData: 'model',
    videoMetadata: 'model',
    executableCode: 'model',
    codeExecutionResult: 'model',
    mediaResolution: 'model',
    partMetadata: 'data',
  },
};

const content: Shape = { fields: { parts: { each: part } } };

const credential: Shape = {
  fields: {
    oauth2: 'model',
    http: { fields: { credentials: 'model', additionalHeaders: 'data' } },
    serviceAccount: { fields: { serviceAccountCredential: 'model', scopes: 'data' } },
  },
};

const authConfig: Shape = {
  fields: {
    // Scopes are a map by name, as OpenAPI has them.
    authScheme: { fields: { flows: { values: { fields: { scopes: 'data' } } } } },
    rawAuthCredential: credential,
    exchangedAuthCredential: credential,
  },
};

const actions: Shape = {
  fields: {
    stateDelta: 'data',
    artifactDelta: 'data',
    agentState: 'data',
    customMetadata: 'data',
    requestedAuthConfigs: { values: authConfig },
    requestedToolConfirmations: { values: { fields: { payload: 'data' } } },
    compaction: { fields: { compactedContent: content } },
  },
};

export const eventShape: Shape = {
  fields: {
    content,
    actions,
    compactedContent: content,
    customMetadata: 'data',
    output: 'data',
    nodeInfo: 'model',
    usageMetadata: 'model',
    groundingMetadata: 'model',
    citationMetadata: 'model',
    logprobsResult: 'model',
    inputTranscription: 'model',
    outputTranscription: 'model',
    cacheMetadata: 'model',
    goAway: 'model',
    liveSetupComplete: 'model',
    liveSessionResumptionUpdate: 'model',
  },
};
