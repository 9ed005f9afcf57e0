import { z } from 'zod';

/*
 * The bodies of models.generateContent and models.streamGenerateContent, field for field, as Google's REST reference has
 * them: https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching (Content, Part, Tool, Schema,
 * ToolConfig). Bytes are base64 in either alphabet, as in every JSON form of a protobuf message.
 */

const bytes = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/, 'Base64 decoding failed');
const struct = z.record(z.string(), z.unknown());
const nothing = z.strictObject({});

/** What the models take as inline data and files: https://ai.google.dev/gemini-api/docs/file-input-methods */
const MEDIA =
  /^(image\/(png|jpeg|webp|heic|heif)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|application\/(pdf|json)|text\/[a-z-]+)$/;
const mimeType = z
  .string()
  .refine((type) => MEDIA.test(type), { error: ({ input }) => `Unsupported MIME type: ${String(input)}` });

const functionName = z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/);

const partSchema = z
  .strictObject({
    text: z.string().optional(),
    inlineData: z.strictObject({ mimeType, data: bytes }).optional(),
    fileData: z.strictObject({ mimeType: mimeType.optional(), fileUri: z.string().min(1) }).optional(),
    functionCall: z
      .strictObject({ id: z.string().optional(), name: functionName, args: struct.optional() })
      .optional(),
    functionResponse: z
      .strictObject({
        id: z.string().optional(),
        name: functionName,
        response: struct,
        parts: z.array(z.strictObject({ inlineData: z.strictObject({ mimeType, data: bytes }) })).optional(),
        willContinue: z.boolean().optional(),
        scheduling: z.enum(['SILENT', 'WHEN_IDLE', 'INTERRUPT']).optional(),
      })
      .optional(),
    executableCode: z
      .strictObject({ id: z.string().optional(), language: z.enum(['PYTHON']), code: z.string() })
      .optional(),
    codeExecutionResult: z
      .strictObject({
        id: z.string().optional(),
        outcome: z.enum(['OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED']),
        output: z.string().optional(),
      })
      .optional(),
    thought: z.boolean().optional(),
    thoughtSignature: bytes.optional(),
    videoMetadata: z
      .strictObject({
        startOffset: z.string().optional(),
        endOffset: z.string().optional(),
        fps: z.number().optional(),
      })
      .optional(),
    mediaResolution: z.strictObject({ level: z.string() }).optional(),
    partMetadata: struct.optional(),
  })
  .refine((part) => DATA.filter((name) => part[name] !== undefined).length <= 1, {
    error: "oneof field 'data' is already set.",
  })
  .refine((part) => DATA.some((name) => part[name] !== undefined) || part.thoughtSignature !== undefined, {
    error: "required oneof field 'data' must have one initialized field",
  });

const DATA = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
] as const;

export const contentSchema = z.strictObject({
  role: z.enum(['user', 'model'], { error: 'Please use a valid role: user, model.' }).optional(),
  parts: z.array(partSchema).min(1, 'contents.parts must not be empty.'),
});

const TYPES = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'] as const;
const count = z.union([z.string().regex(/^\d+$/), z.int().nonnegative()]);

/** The reference's Schema, a part of OpenAPI 3.0; JSON Schema goes into fields of its own. */
const schemaSchema = z.strictObject({
  type: z.enum(TYPES),
  format: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  nullable: z.boolean().optional(),
  enum: z.array(z.string()).optional(),
  maxItems: count.optional(),
  minItems: count.optional(),
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  required: z.array(z.string()).optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: z.string().optional(),
  example: z.unknown().optional(),
  get anyOf() {
    return z.array(schemaSchema).optional();
  },
  propertyOrdering: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  get items() {
    return schemaSchema.optional();
  },
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const functionDeclarationSchema = z
  .strictObject({
    name: functionName,
    description: z.string(),
    behavior: z.enum(['BLOCKING', 'NON_BLOCKING']).optional(),
    parameters: schemaSchema.optional(),
    parametersJsonSchema: struct.optional(),
    response: schemaSchema.optional(),
    responseJsonSchema: struct.optional(),
  })
  .refine(({ parameters, parametersJsonSchema }) => !(parameters && parametersJsonSchema), {
    error: 'parameters and parameters_json_schema must not both be set.',
  });

const toolSchema = z.strictObject({
  functionDeclarations: z.array(functionDeclarationSchema).optional(),
  googleSearch: z
    .strictObject({ timeRangeFilter: struct.optional(), searchTypes: struct.optional() })
    .optional(),
  googleSearchRetrieval: z.strictObject({ dynamicRetrievalConfig: struct.optional() }).optional(),
  googleMaps: z.strictObject({ enableWidget: z.boolean().optional() }).optional(),
  codeExecution: nothing.optional(),
  urlContext: nothing.optional(),
  fileSearch: z
    .strictObject({ fileSearchStoreNames: z.array(z.string()) })
    .loose()
    .optional(),
  computerUse: z.strictObject({ environment: z.string() }).loose().optional(),
});

const toolConfigSchema = z.strictObject({
  functionCallingConfig: z
    .strictObject({
      mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']).optional(),
      allowedFunctionNames: z.array(functionName).optional(),
    })
    .refine(
      ({ mode, allowedFunctionNames }) => !allowedFunctionNames || mode === 'ANY' || mode === 'VALIDATED',
      {
        error: 'Function calling config is set with allowed_function_names without mode ANY or VALIDATED.',
      },
    )
    .optional(),
  retrievalConfig: z
    .strictObject({ latLng: struct.optional(), languageCode: z.string().optional() })
    .optional(),
});

const generationConfigSchema = z.strictObject({
  stopSequences: z.array(z.string()).max(5).optional(),
  responseMimeType: z.enum(['text/plain', 'application/json', 'text/x.enum']).optional(),
  responseSchema: schemaSchema.optional(),
  responseJsonSchema: struct.optional(),
  responseModalities: z.array(z.enum(['TEXT', 'IMAGE', 'AUDIO'])).optional(),
  candidateCount: z.int().min(1).max(8).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  seed: z.int().optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: z.int().optional(),
  enableEnhancedCivicAnswers: z.boolean().optional(),
  speechConfig: struct.optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().min(-1).optional(),
      thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH']).optional(),
    })
    .optional(),
  imageConfig: z
    .strictObject({ aspectRatio: z.string().optional(), imageSize: z.string().optional() })
    .optional(),
  mediaResolution: z.string().optional(),
});

const safetySettingSchema = z.strictObject({
  category: z.string().startsWith('HARM_CATEGORY_'),
  threshold: z.enum([
    'BLOCK_LOW_AND_ABOVE',
    'BLOCK_MEDIUM_AND_ABOVE',
    'BLOCK_ONLY_HIGH',
    'BLOCK_NONE',
    'OFF',
  ]),
});

/** A whole body. The model is in the address. */
export const generateContentSchema = z
  .strictObject({
    contents: z.array(contentSchema).min(1, 'contents is not specified'),
    tools: z.array(toolSchema).optional(),
    toolConfig: toolConfigSchema.optional(),
    safetySettings: z.array(safetySettingSchema).optional(),
    systemInstruction: contentSchema.optional(),
    generationConfig: generationConfigSchema.optional(),
    cachedContent: z
      .string()
      .regex(/^cachedContents\/[a-z0-9-]+$/)
      .optional(),
    serviceTier: z.enum(['standard', 'flex', 'priority']).optional(),
    store: z.boolean().optional(),
  })
  .refine(
    ({ cachedContent, systemInstruction, tools, toolConfig }) =>
      !cachedContent || !(systemInstruction ?? tools ?? toolConfig),
    {
      error:
        'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    },
  )
  .refine(
    ({ generationConfig: config }) =>
      !(config?.responseSchema ?? config?.responseJsonSchema) ||
      config.responseMimeType === 'application/json',
    { error: 'response_schema is only supported with response_mime_type application/json.' },
  );
export type GenerateContentBody = z.infer<typeof generateContentSchema>;
