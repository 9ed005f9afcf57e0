// A server of the official SDK, whose list of tools grows when it is asked to. It is started as a process.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'growing', version: '1.0.0' });
const says = (text) => ({ content: [{ type: 'text', text: String(text) }] });
let grown = 0;

server.registerTool('pid', { description: 'Its process.', annotations: { readOnlyHint: true } }, () =>
  says(process.pid),
);
server.registerTool('drop', { description: 'Drops all.', annotations: { destructiveHint: true } }, () =>
  says('dropped'),
);
server.registerTool('wait', { description: 'Never answers.' }, async (extra) => {
  const { progressToken } = extra._meta ?? {};
  const params = { progressToken, progress: 1, message: `in ${process.pid}` };
  if (progressToken !== undefined) await extra.sendNotification({ method: 'notifications/progress', params });
  return new Promise(() => undefined);
});
server.registerTool('fail', { description: 'Fails.' }, () => ({ ...says('No such file.'), isError: true }));
server.registerTool('exit', { description: 'Ends the process.' }, () => process.exit(3));
server.registerTool('grow', { description: 'Brings one more tool.' }, () => {
  grown += 1;
  const name = `grown-${grown}`;
  server.registerTool(name, { description: 'It is new.' }, () => says(`I am ${name}.`));
  return says(name);
});

await server.connect(new StdioServerTransport());
