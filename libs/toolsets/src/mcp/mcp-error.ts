import { AdkError } from '@skein/contracts';
import { describeError } from '@skein/engine';
import { SessionLost } from './session-lost';

/** JSON-RPC codes the SDK makes errors of itself. */
const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;
const MAX_MESSAGE = 500;

/** What failed at a server as an AdkError: `unavailable` where it may go well another time. */
export function mcpError(thrown: unknown, server: string): AdkError {
  const told =
    thrown instanceof SessionLost ? undefined : causesOf(thrown).find((cause) => AdkError.isInstance(cause));
  if (told) return told;
  const say = (what: string): string => `The MCP server ${server} ${what}`.slice(0, MAX_MESSAGE);
  const make = (kind: AdkError['kind'], code: string, what: string): AdkError =>
    new AdkError(kind, code, say(what), { cause: thrown });
  const code = codeOf(thrown);
  if (thrown instanceof SessionLost || code === CONNECTION_CLOSED) {
    return make('unavailable', 'mcp.disconnected', 'went away before it answered.');
  }
  if (code === REQUEST_TIMEOUT) return make('deadline', 'mcp.timeout', 'did not answer in time.');
  if (code === 401 || code === 403 || nameOf(thrown) === 'UnauthorizedError') {
    return make('denied', 'mcp.unauthorized', 'refused the credential it was given, or wants one.');
  }
  if (nameOf(thrown) === 'McpError') return make('invalid', 'mcp.refused', `said: ${describeError(thrown)}`);
  if (isOverloaded(code)) return make('unavailable', 'mcp.unavailable', `said ${String(code)}.`);
  if (typeof code === 'string') return make('unavailable', 'mcp.unavailable', `is not there: ${code}.`);
  return make('invalid', 'mcp.answer', `gave no answer that MCP knows: ${describeError(thrown)}`);
}

function isOverloaded(code: unknown): boolean {
  return typeof code === 'number' && (code === 429 || code >= 500);
}

/** Of the error or of what caused it: a number of JSON-RPC or HTTP, or a word of the system such as ENOENT. */
function codeOf(thrown: unknown): unknown {
  const codes = causesOf(thrown).map((cause) => (cause instanceof Error && 'code' in cause ? cause.code : 0));
  return codes.find(Boolean);
}

/** By its name, since the SDK is loaded late and may be there twice. */
function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.constructor.name : '';
}

function causesOf(thrown: unknown, depth = 0): unknown[] {
  if (!(thrown instanceof Error) || depth > 5) return [thrown];
  const inner: unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  const causes = thrown.cause === undefined ? inner : [thrown.cause, ...inner];
  return [thrown, ...causes.flatMap((cause) => causesOf(cause, depth + 1))];
}
