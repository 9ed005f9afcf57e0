/** The parts of the official SDK that are used here. */
export type McpSdk = Awaited<ReturnType<typeof load>>;

/** The SDK's side of a session. */
export type McpClient = InstanceType<McpSdk['Client']>;

let loaded: Promise<McpSdk> | undefined;

/** Loaded when the first toolset is asked: a process without one never needs it. */
export function loadSdk(): Promise<McpSdk> {
  loaded ??= load();
  return loaded;
}

async function load() {
  const [client, stdio, http, sse, ajv] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
  ]);
  return { ...client, ...stdio, ...http, ...sse, ...ajv };
}
