import { MCPToolset } from './mcp-toolset';

const loaded: string[] = [];

jest.mock('@modelcontextprotocol/sdk/client/index.js', () => {
  loaded.push('client');
  return jest.requireActual<object>('@modelcontextprotocol/sdk/client/index.js');
});

describe('an MCPToolset', () => {
  it('is made without the SDK, which the first who asks for its tools waits for', async () => {
    const url = 'http://127.0.0.1:1/mcp';
    const toolset = new MCPToolset({ type: 'StreamableHTTPConnectionParams', url });
    expect(loaded).toEqual([]);

    await expect(toolset.getTools()).rejects.toMatchObject({ code: 'egress.blocked' });

    expect(loaded).toEqual(['client']);
  });

  it.each([
    { type: 'StdioConnectionParams', serverParams: { command: '' } },
    { type: 'StreamableHTTPConnectionParams', url: 'file:///etc/passwd' },
    { type: 'SSEConnectionParams', url: 'nowhere' },
    { type: 'StreamableHTTPConnectionParams', url: 'http://a.example', timeout: -1 },
    { type: 'Other' },
  ])('is refused where it is written down when it names no server: %j', (params) => {
    expect(() => new MCPToolset(params as never)).toThrow(
      expect.objectContaining({ code: 'mcp.connection' }),
    );
  });
});
