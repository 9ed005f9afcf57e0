import { z } from 'zod';

/** What a human is asked before a tool runs, and what they decided. Nothing else may stand in it (B66). */
export const toolConfirmationSchema = z.strictObject({
  hint: z.string(),
  confirmed: z.boolean(),
  /** What the tool asked for beside the yes, as the human filled it in. */
  payload: z.unknown().optional(),
});
export type ToolConfirmation = z.infer<typeof toolConfirmationSchema>;
