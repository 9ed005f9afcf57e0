import { AdkError } from '@skein/contracts';
import { warn } from '@skein/engine';
import { z } from 'zod';
import { type McpSession } from './mcp-session';
import { type ToolDefinition, toolDefinitionSchema } from './tool-definition';

const PAGE = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const MAX_TOOLS = 5_000;
const MAX_PAGES = 500;
const MAX_SHOWN = 100;

/** All tools of a server, page by page. One that is not described as MCP has it is told of and left out. */
export async function listTools(session: McpSession, timeoutMs: number): Promise<ToolDefinition[]> {
  const deadlineMs = performance.now() + timeoutMs;
  const listed: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { tools, nextCursor } = await session.request({
      method: 'tools/list',
      params: cursor === undefined ? {} : { cursor },
      result: PAGE,
      timeoutMs: Math.max(1, deadlineMs - performance.now()),
    });
    listed.push(...tools);
    if (listed.length > MAX_TOOLS) break;
    if (nextCursor === undefined || nextCursor === cursor) return definitionsIn(listed, session.server);
    cursor = nextCursor;
  }
  throw new AdkError(
    'invalid',
    'mcp.list',
    `The MCP server ${session.server} lists more than ${MAX_TOOLS} tools.`,
  );
}

function definitionsIn(listed: readonly unknown[], server: string): ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  const leftOut: string[] = [];
  for (const item of listed) {
    const { data } = toolDefinitionSchema.safeParse(item);
    // Of two with one name it cannot be said which a call would run; the first is what most clients show.
    if (data && !byName.has(data.name)) byName.set(data.name, data);
    else leftOut.push(data?.name.slice(0, MAX_SHOWN) ?? 'one that MCP has no description of');
  }
  if (leftOut.length > 0) {
    warn('tools of an MCP server were left out', { server, count: leftOut.length, first: leftOut[0] });
  }
  return [...byName.values()];
}
