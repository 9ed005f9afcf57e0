import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';

const APP = 'overloaded';

/** A model's provider that wants to be left alone for a second, whatever it is asked, and the app that asks it. */
export class OverloadedProvider {
  readonly app = APP;
  readonly #server = createServer((_request, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
    response.end(JSON.stringify({ error: { code: 429, message: 'Too many requests.' } }));
  });

  async start(agentsDir: string): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    mkdirSync(path.join(agentsDir, APP));
    writeFileSync(path.join(agentsDir, APP, 'agent.ts'), agentAt(`http://127.0.0.1:${port}`));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function agentAt(baseUrl: string): string {
  return `
import { Gemini, LlmAgent } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'asker',
  model: new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none', baseUrl: '${baseUrl}', maxAttempts: 1 }),
});
`;
}
