import { type ParsedOperation } from './openapi-spec-parser';
import { RestApiTool, type RestApiToolOptions } from './rest-api-tool';

/** A tool of an operation that a parser found; of one with references, `document` in the options is where they lead. */
export function createRestApiTool(
  parsed: Pick<ParsedOperation, 'name' | 'description' | 'endpoint' | 'operation' | 'authScheme'>,
  options: RestApiToolOptions = {},
): RestApiTool {
  const { name, description, endpoint, operation, authScheme } = parsed;
  return new RestApiTool(name, description, endpoint, operation, authScheme, undefined, options);
}
