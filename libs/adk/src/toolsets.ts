/** Tools that come from elsewhere: a server of MCP, a document of OpenAPI, a page of the web. */
export { LoadMcpResourceTool, MCPSessionManager, MCPTool, MCPToolset } from '@skein/toolsets';
export type {
  MCPConnectionParams,
  MCPRequireConfirmation,
  MCPSessionOptions,
  MCPToolOptions,
  MCPToolsetOptions,
  MCPToolsetParams,
  SSEConnectionParams,
  StdioConnectionParams,
  StreamableHTTPConnectionParams,
} from '@skein/toolsets';
export {
  createRestApiTool,
  guardedFetch,
  LOAD_WEB_PAGE,
  loadWebPage,
  OpenApiSpecParser,
  OpenAPIToolset,
  OperationParser,
  RestApiTool,
  ToolAuthHandler,
} from '@skein/toolsets';
export type {
  ApiParameter,
  AuthPreparationResult,
  GuardedFetch,
  GuardedFetchOptions,
  LoadWebPageOptions,
  OpenAPIToolsetOptions,
  OperationEndpoint,
  OperationInfo,
  ParsedOperation,
  RestApiToolOptions,
  SecurityScheme,
} from '@skein/toolsets';
