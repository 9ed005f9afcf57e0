import { MCPToolset, type MCPToolsetOptions } from './mcp-toolset';

const connectionParams = { type: 'StdioConnectionParams', serverParams: { command: 'true' } } as const;

describe('the options of a toolset for its tools', () => {
  it('are checked when it is made, before any server is asked', () => {
    const toolOptions = { retires: 2, pool: 'a.b' } as MCPToolsetOptions['toolOptions'];
    const message =
      'The tool options of an MCPToolset: retires: is no option of a tool, perhaps "retry" is meant; ' +
      'pool: "a.b" is no name of a pool: it must be 1 to 128 letters, digits and "-".';

    expect(() => new MCPToolset({ connectionParams, toolOptions })).toThrow(message);
    expect(() => new MCPToolset(connectionParams, [], undefined, { toolOptions })).toThrow(message);
  });

  it('may be left out, or be those that tools have', () => {
    const toolOptions = { pool: 'gpu', retry: { maxAttempts: 2 } };

    expect(() => new MCPToolset({ connectionParams, toolOptions })).not.toThrow();
    expect(() => new MCPToolset(connectionParams)).not.toThrow();
  });
});
