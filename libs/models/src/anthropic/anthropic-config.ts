import { AdkError } from '@skein/contracts';
import { describeError, type GenerateContentConfig } from '@skein/engine';
import { z } from 'zod';

const declarationSchema = z.looseObject({
  name: z.string(),
  description: z.string().optional(),
  /** JSON Schema, and genai's own form of it. */
  parametersJsonSchema: z.record(z.string(), z.unknown()).optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});

const configSchema = z.looseObject({
  systemInstruction: z.string().optional(),
  maxOutputTokens: z.int().positive().optional(),
  stopSequences: z.array(z.string()).optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(declarationSchema).optional() })).optional(),
  toolConfig: z
    .looseObject({
      functionCallingConfig: z
        .looseObject({ mode: z.string().optional(), allowedFunctionNames: z.array(z.string()).optional() })
        .optional(),
    })
    .optional(),
  thinkingConfig: z
    .looseObject({
      includeThoughts: z.boolean().optional(),
      /** Tokens; 0 is off, -1 the model's own choice. */
      thinkingBudget: z.int().min(-1).optional(),
      thinkingLevel: z.string().optional(),
    })
    .optional(),
  responseJsonSchema: z.record(z.string(), z.unknown()).optional(),
  responseSchema: z.record(z.string(), z.unknown()).optional(),
});

/** What Claude's API has a word for of the generation settings. */
export type AnthropicConfig = z.infer<typeof configSchema>;
export type FunctionDeclaration = z.infer<typeof declarationSchema>;
export type ThinkingConfig = NonNullable<AnthropicConfig['thinkingConfig']>;

/** Throws `model.bad-config`, naming the setting, for one that is not in google-genai's form. */
export function readAnthropicConfig(config: GenerateContentConfig): AnthropicConfig {
  const read = configSchema.safeParse(config);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const reason = issue ? `${issue.path.join('.')}: ${issue.message}` : describeError(read.error);
  throw new AdkError('invalid', 'model.bad-config', `Claude cannot be asked with these settings: ${reason}`);
}
