/** What agent files of cases begin with: the public names, and short forms for what almost all of them hold. */
const HEAD = `
import {
  AgentTool, App, BaseAgent, BaseCodeExecutor, BaseEventsSummarizer, BaseLlm, BaseLlmRequestProcessor, BaseLlmResponseProcessor, BasePlanner,
  BasePlugin, BaseTool, BaseToolset, BuiltInPlanner, ContextFilterPlugin, createEvent, CustomAgent, EXIT_LOOP,
  FunctionTool, getUserChoiceTool, GlobalInstructionPlugin, LlmAgent, LOAD_ARTIFACTS, LOAD_MEMORY, LoggingPlugin,
  LongRunningFunctionTool, LoopAgent, ParallelAgent, PlanReActPlanner, PRELOAD_MEMORY, ReflectAndRetryToolPlugin,
  RoutedAgent, RoutedLlm,
  SaveFilesAsArtifactsPlugin, ScriptedLlm, SequentialAgent,
} from '@skein/adk';
import { z } from 'zod';

/** A model's answer of texts, thoughts and calls. */
const says = (...parts) => ({
  content: { role: 'model', parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) },
});
const thinks = (text) => ({ text, thought: true });
const calls = (name, args = {}, id = undefined) => ({ functionCall: { name, args, ...(id ? { id } : {}) } });
/** An answer streamed in pieces, the last one whole. */
const pieces = (...list) => list;
const script = (...responses) => new ScriptedLlm({ responses });
const agent = (name, responses, more = {}) =>
  new LlmAgent({ name, ...(responses ? { model: script(...responses) } : {}), ...more });
const tool = (name, execute, more = {}) =>
  new FunctionTool({ name, description: 'Does ' + name + '.', execute, ...more });
const spoken = (text) => ({ role: 'model', parts: [{ text }] });
`;

/** An agent file that exports this root agent; `before` declares what it is made of. */
export function rootAgentFile(rootAgent: string, before = ''): string {
  return `${HEAD}${before}\nexport const rootAgent = ${rootAgent};\n`;
}

/** An agent file that exports an app with this root agent and these other fields of `App`. */
export function appFile(fields: string, before = ''): string {
  return `${HEAD}${before}\nexport const app = new App({ name: 'app', ${fields} });\n`;
}
