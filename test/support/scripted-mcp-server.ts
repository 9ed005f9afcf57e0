import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface McpMessage {
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Answers a request with a result, or in any other way by the response itself. */
export type Answer = (
  message: McpMessage,
  response: ServerResponse,
  request: IncomingMessage,
) => Record<string, unknown> | undefined;

/** A server over streamable HTTP whose every answer a test says; it knows what it was asked. */
export class ScriptedMcpServer {
  readonly asked: McpMessage[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** The ids of the sessions that their clients ended. */
  readonly ended: string[] = [];
  /** By method; what is not said is answered as a server without anything would. */
  answers: Readonly<Record<string, Answer>> = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async start(answers: Readonly<Record<string, Answer>> = {}): Promise<ScriptedMcpServer> {
    const server = new ScriptedMcpServer();
    server.answers = answers;
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  count(method: string): number {
    return this.asked.filter((message) => message.method === method).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'DELETE') this.ended.push(String(request.headers['mcp-session-id']));
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as McpMessage;
    this.asked.push(message);
    this.headers.push(request.headers);
    const answer = this.answers[message.method] ?? DEFAULTS[message.method];
    const result = answer?.(message, response, request);
    if (message.id === undefined) response.writeHead(202).end();
    else if (result) sendResult(message, response, result);
  }
}

/** The answer as one message of JSON. */
export function sendResult(message: McpMessage, response: ServerResponse, result: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
}

const DEFAULTS: Readonly<Record<string, Answer>> = {
  initialize: ({ params }) => ({
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'scripted', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] }),
};
