import { z } from 'zod';

/**
 * What `tools/call` answers, as the server says it: `content` (parts of type text, image, audio, resource_link and
 * resource), `structuredContent` and `isError`.
 */
export const callResultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type CallResult = z.output<typeof callResultSchema>;

/** The result as the model reads it: a failed one says so as every tool's does, in `error`. */
export function responseOf(result: CallResult): Record<string, unknown> {
  if (result.isError !== true) return result;
  const texts = result.content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return { error: texts.join('\n') || 'The tool failed and did not say why.', ...result };
}
