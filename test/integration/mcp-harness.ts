import { type BaseTool, Context, MCPToolset, type MCPToolsetOptions } from '@skein/adk';
import { type MCPConnectionParams } from '@skein/adk';
import { type ScriptedMcpServer } from '../support/scripted-mcp-server';

const opened: MCPToolset[] = [];

/** A toolset that may reach this machine, closed by `closeToolsets`. */
export function toolsetOf(
  connectionParams: MCPConnectionParams,
  options: MCPToolsetOptions = {},
): MCPToolset {
  const toolset = new MCPToolset({ allow: ['127.0.0.1'], ...options, connectionParams });
  opened.push(toolset);
  return toolset;
}

/** The tools of a scripted server, which has two seconds to say what it has. */
export function toolsetAt(
  { origin }: ScriptedMcpServer,
  options: MCPToolsetOptions = {},
  timeout = 2_000,
): MCPToolset {
  return toolsetOf({ type: 'StreamableHTTPConnectionParams', url: `${origin}/mcp`, timeout }, options);
}

export async function closeToolsets(): Promise<void> {
  await Promise.all(opened.splice(0).map((toolset) => toolset.close()));
}

export function aContext({ state = {}, signal = new AbortController().signal } = {}): Context {
  const session = { appName: 'app', userId: 'ada', id: 's', state };
  return new Context({ invocationId: 'e-1', agentName: 'root', session, signal });
}

export async function toolIn(toolset: MCPToolset, name: string, context = aContext()): Promise<BaseTool> {
  const tool = (await toolset.getTools(context)).find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

export async function call(
  toolset: MCPToolset,
  name: string,
  args = {},
  toolContext = aContext(),
): Promise<unknown> {
  const tool = await toolIn(toolset, name, toolContext);
  return tool.runAsync({ args, toolContext });
}
