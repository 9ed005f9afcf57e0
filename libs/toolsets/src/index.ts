export {
  configureEgress,
  type EgressSettings,
  egressSettingsFrom,
  isEgressAllowList,
} from './egress/egress-settings';
export { type GuardedFetch, guardedFetch, type GuardedFetchOptions } from './egress/guarded-fetch';
export type {
  MCPConnectionParams,
  SSEConnectionParams,
  StdioConnectionParams,
  StreamableHTTPConnectionParams,
} from './mcp/connection-params';
export { LoadMcpResourceTool } from './mcp/load-mcp-resource-tool';
export { MCPSessionManager, type MCPSessionOptions } from './mcp/mcp-session-manager';
export { MCPTool, type MCPToolOptions, type MCPRequireConfirmation } from './mcp/mcp-tool';
export { MCPToolset, type MCPToolsetOptions, type MCPToolsetParams } from './mcp/mcp-toolset';
export type { ApiParameter } from './openapi/api-parameter';
export type { OperationEndpoint } from './openapi/build-request';
export { createRestApiTool } from './openapi/create-rest-api-tool';
export type { SecurityScheme } from './openapi/document-parts';
export { OpenApiSpecParser, type ParsedOperation } from './openapi/openapi-spec-parser';
export { OpenAPIToolset, type OpenAPIToolsetOptions, type OperationInfo } from './openapi/openapi-toolset';
export { OperationParser } from './openapi/operation-parser';
export { RestApiTool, type RestApiToolOptions } from './openapi/rest-api-tool';
export { type AuthPreparationResult, ToolAuthHandler } from './openapi/tool-auth-handler';
export { LOAD_WEB_PAGE, loadWebPage, type LoadWebPageOptions } from './web-page/load-web-page';
