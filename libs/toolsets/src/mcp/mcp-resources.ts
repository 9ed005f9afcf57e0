import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { timeoutOf } from './connection-params';
import { type Headers, type MCPSessionManager } from './mcp-session-manager';

const resourceSchema = z.looseObject({
  name: z.string(),
  uri: z.string(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
});
export type McpResource = z.output<typeof resourceSchema>;

const contentSchema = z.union([
  z.looseObject({ uri: z.string(), mimeType: z.string().optional(), text: z.string() }),
  z.looseObject({ uri: z.string(), mimeType: z.string().optional(), blob: z.string() }),
]);
export type McpResourceContent = z.output<typeof contentSchema>;

const PAGE = z.object({ resources: z.array(resourceSchema), nextCursor: z.string().optional() });
const READ = z.object({ contents: z.array(contentSchema) });
const MAX_PAGES = 100;

/** What a server has to read, beside its tools. */
export class McpResources {
  constructor(private readonly manager: MCPSessionManager) {}

  /** Of a very long list, the first pages. */
  async list(headers: Headers): Promise<McpResource[]> {
    return this.manager.use(
      async (session) => {
        const listed: McpResource[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < MAX_PAGES; page += 1) {
          const params = cursor === undefined ? {} : { cursor };
          const timeoutMs = this.#timeoutMs;
          const answer = await session.request({ method: 'resources/list', params, result: PAGE, timeoutMs });
          listed.push(...answer.resources);
          if (answer.nextCursor === undefined || answer.nextCursor === cursor) break;
          cursor = answer.nextCursor;
        }
        return listed;
      },
      { headers },
    );
  }

  /** Rejects with `mcp.resource` where there is none of this name. */
  async find(name: string, headers: Headers): Promise<McpResource> {
    const resource = (await this.list(headers)).find((candidate) => candidate.name === name);
    if (resource) return resource;
    throw new AdkError(
      'not_found',
      'mcp.resource',
      `The MCP server has no resource ${JSON.stringify(name)}.`,
    );
  }

  async read(name: string, headers: Headers): Promise<McpResourceContent[]> {
    const { uri } = await this.find(name, headers);
    const { contents } = await this.manager.use(
      (session) =>
        session.request({
          method: 'resources/read',
          params: { uri },
          result: READ,
          timeoutMs: this.#timeoutMs,
        }),
      { headers },
    );
    return contents;
  }

  get #timeoutMs(): number {
    return timeoutOf(this.manager.connectionParams);
  }
}
