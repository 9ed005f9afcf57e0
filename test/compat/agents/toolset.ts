import { BaseToolset, FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

/** Gives its tools by the state of the session. */
class Locked extends BaseToolset {
  constructor() {
    super([]);
  }

  override async getTools() {
    const names = ['look', 'listen'];
    return names.map(
      (name) =>
        new FunctionTool({
          name,
          description: `To ${name}.`,
          parameters: z.object({ at: z.string() }),
          execute: ({ at }) => `You ${name} at ${at}.`,
        }),
    );
  }

  override async close() {
    return undefined;
  }
}

export const rootAgent = new LlmAgent({
  name: 'scout',
  model: 'scripted-scout',
  instruction: 'Look and listen.',
  tools: [new Locked()],
});
