import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { geminiDialect, ProviderServer } from '@skein/testing';

const APP = 'overloaded';
const MODEL = 'gemini-2.5-flash';

/** A model's provider that wants to be left alone for a second, whatever it is asked, and the app that asks it. */
export class OverloadedProvider {
  readonly app = APP;

  private constructor(private readonly server: ProviderServer) {
    server.otherwise = () => ({ refuses: 'rate-limited', headers: { 'retry-after': '1' } });
  }

  static async start(agentsDir: string): Promise<OverloadedProvider> {
    const server = await ProviderServer.start(geminiDialect, MODEL);
    mkdirSync(path.join(agentsDir, APP));
    writeFileSync(path.join(agentsDir, APP, 'agent.ts'), agentOf(server));
    return new OverloadedProvider(server);
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

function agentOf({ apiKey, baseUrl }: ProviderServer): string {
  return `
import { Gemini, LlmAgent } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'asker',
  model: new Gemini({ model: '${MODEL}', apiKey: '${apiKey}', baseUrl: '${baseUrl}', maxAttempts: 1 }),
});
`;
}
