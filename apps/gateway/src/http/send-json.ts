import type { ServerResponse } from 'node:http';

/**
 * Answers 200 as Express's `json` does, which looks at what was sent before, at what the client has and at the type of what it is
 * given, for each answer anew.
 */
export function sendJson(response: ServerResponse, body: object): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
