import { z } from 'zod';
import { jsonObjectSchema } from './json';

/** A model's wish to have a tool called. `id` is the model's own and may repeat; dispatch ids do not. */
export const functionCallSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  args: jsonObjectSchema.optional(),
  /** What the model wrote for arguments, where that is no JSON object: the call is answered with an error, and not made. */
  malformedArgs: z.string().optional(),
});
export type FunctionCall = z.infer<typeof functionCallSchema>;

/** The answer to a function call of the same id. */
export const functionResponseSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  response: jsonObjectSchema.optional(),
});
export type FunctionResponse = z.infer<typeof functionResponseSchema>;

/** Bytes carried inside a message; `data` is base64, standard or url-safe. */
export const blobSchema = z.looseObject({ data: z.string(), mimeType: z.string() });
export type Blob = z.infer<typeof blobSchema>;

/** One part of a content, in the JSON of google-genai. Fields this version does not know are kept. */
export const partSchema = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: functionCallSchema.optional(),
  functionResponse: functionResponseSchema.optional(),
  inlineData: blobSchema.optional(),
  fileData: z.looseObject({ fileUri: z.string(), mimeType: z.string().optional() }).optional(),
  executableCode: z.looseObject({ code: z.string().optional() }).optional(),
  codeExecutionResult: z.looseObject({ output: z.string().optional() }).optional(),
});
export type Part = z.infer<typeof partSchema>;

/** What one side said in one go: `role` is `user` or `model`. */
export const contentSchema = z.looseObject({
  role: z.string().optional(),
  parts: z.array(partSchema).optional(),
});
export type Content = z.infer<typeof contentSchema>;

/**
 * A content as an author may give it: google-genai's own type, of which every field may be missing. It is read by its schema
 * before it goes anywhere.
 */
export interface ContentLike {
  readonly role?: string;
  readonly parts?: readonly PartLike[];
}

/** A part as google-genai types it. */
export interface PartLike {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: object;
  readonly functionResponse?: object;
  readonly inlineData?: object;
  readonly fileData?: object;
  readonly executableCode?: object;
  readonly codeExecutionResult?: object;
}
