import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const inspect = new FunctionTool({
  name: 'inspect',
  description: 'Says what it was given.',
  parameters: z.object({}),
  execute: async (_args, toolContext) => {
    await toolContext?.saveArtifact('report.txt', { text: 'All is well.' });
    const report = await toolContext?.loadArtifact('report.txt');
    return {
      agent: toolContext?.agentName,
      hasCallId: toolContext?.functionCallId !== undefined,
      hasInvocation: toolContext?.invocationId.startsWith('e-'),
      said: toolContext?.userContent?.parts?.[0]?.text,
      mood: toolContext?.state.get('mood'),
      hasMood: toolContext?.state.has('mood'),
      report: report?.text,
      files: await toolContext?.listArtifacts(),
    };
  },
});

export const rootAgent = new LlmAgent({
  name: 'inspector',
  model: 'scripted-inspector',
  instruction: async (context) => `The mood of ${context.agentName} is ${String(context.state.get('mood'))}.`,
  tools: [inspect],
});
