import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as PostgresClient } from 'pg';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { fixture, makePostgresSource, makeSqliteSource, runImportCommand } from './import-harness';

// The agents that wrote the databases, with scripts that say what they were asked.
const HELPER = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const danger = new FunctionTool({
  name: 'danger',
  description: 'Asks first.',
  parameters: z.object({ x: z.number() }),
  requireConfirmation: true,
  execute: ({ x }) => ({ done: x }),
});

export const rootAgent = new LlmAgent({
  name: 'assistant',
  model: new ScriptedLlm({ rules: [{ when: /.*/s, respond: () => ({ content: { role: 'model', parts: [{ text: 'Still here.' }] } }) }] }),
  instruction: 'You help {user:name}; the last color was {last_color?}.',
  tools: [danger],
});
`;
const WEATHER = HELPER.replace("'assistant'", "'forecaster'").replace('You help {user:name}; ', '');

describe('a conversation that began elsewhere', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-goes-on-'));
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { helper: HELPER, weather: WEATHER } });
    const database = new PostgresClient({ connectionString: skein.databaseUrl });
    await database.connect();
    const python = await makePostgresSource(
      database,
      skein.databaseUrl,
      'adk_python',
      fixture('adk-python-v1.postgres'),
    );
    await database.end();
    const sources = [python, makeSqliteSource(path.join(folder, 'js.db'), fixture('adk-js.sqlite'))];
    for (const from of sources) {
      const { code, output } = await runImportCommand(['--from', from], { databaseUrl: skein.databaseUrl });
      expect([code, output]).toEqual([0, expect.any(String)]);
    }
  }, 120_000);
  afterAll(async () => {
    await skein?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of adk-js: the model is asked with its whole history, its files, its thoughts and its state', async () => {
    const client = new Client(skein.url, 'helper');

    const { status, body } = await client.run('colors', 'Which color was it?');

    expect([status, textOf(body.at(-1))]).toEqual([200, 'Still here.']);
    const request = skein.modelRequests().findLast(({ sessionId }) => sessionId === 'colors')?.request;
    expect(request?.contents).toMatchObject([
      {
        role: 'user',
        parts: [{ text: 'My favourite color is green.' }, { inlineData: { mimeType: 'image/png' } }],
      },
      {
        role: 'model',
        parts: [
          { thought: true, thoughtSignature: 'AQ+/Bw==' },
          { functionCall: { name: 'remember', args: { favorite_color: 'green' } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { response: { nestedKey: { snake_key: 1 } } } }] },
      { role: 'model', parts: [{ text: 'Your favourite color is green.' }] },
      { role: 'user', parts: [{ text: 'Which color was it?' }] },
    ]);
    expect(JSON.stringify(request)).toContain('You help Ada; the last color was green.');
    expect((await client.getSession('colors')).events).toHaveLength(6);
  });

  it('of adk-js: a question asked there is answered here', async () => {
    const client = new Client(skein.url, 'helper');
    const asked = (await client.getSession('asks')).events.at(-1);
    const id = asked?.content?.parts?.[0]?.functionCall?.id;

    const { status } = await client.run('asks', {
      role: 'user',
      parts: [{ functionResponse: { id, name: 'adk_request_confirmation', response: { confirmed: true } } }],
    });

    expect(status).toBe(200);
    const { events } = await client.getSession('asks');
    expect(events.slice(4).map(({ content }) => content?.parts?.[0])).toMatchObject([
      { functionResponse: { name: 'danger', response: { done: 1 } } },
      { text: 'Still here.' },
    ]);
  });

  it('of adk-python: what was summarised is not repeated, and what follows is', async () => {
    const client = new Client(skein.url, 'weather');

    const { status } = await client.run('s1', 'And tomorrow?');

    expect(status).toBe(200);
    const request = skein.modelRequests().findLast(({ sessionId }) => sessionId === 's1')?.request;
    const said = JSON.stringify(request?.contents);
    expect(said).toContain('They spoke of Oslo.');
    expect(said).toContain('And tomorrow?');
  });
});
