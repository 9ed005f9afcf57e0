import { z } from 'zod';

/** What a server says of a tool's behaviour. It is the server's word, which no decision about trust should rest on. */
export interface ToolAnnotations {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
}

const annotations: z.ZodType<ToolAnnotations> = z.looseObject({
  title: z.string().optional().catch(undefined),
  readOnlyHint: z.boolean().optional().catch(undefined),
  destructiveHint: z.boolean().optional().catch(undefined),
  idempotentHint: z.boolean().optional().catch(undefined),
  openWorldHint: z.boolean().optional().catch(undefined),
});

/** A tool as a server lists it, read so that a flaw in what is beside the point keeps no tool away. */
export const toolDefinitionSchema = z.object({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: annotations.optional().catch(undefined),
  // Of no use here, and in what the SDK gives to who makes a tool of it.
  _meta: z.unknown().optional(),
  execution: z.unknown().optional(),
  icons: z.unknown().optional(),
});
export type ToolDefinition = z.output<typeof toolDefinitionSchema>;
