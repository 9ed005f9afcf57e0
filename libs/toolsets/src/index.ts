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
