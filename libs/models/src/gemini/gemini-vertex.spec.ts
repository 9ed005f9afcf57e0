import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, geminiDialect, ProviderServer, saying } from '@skein/testing';
import { Gemini } from './gemini.model';

const MODEL = 'gemini-2.5-flash';
const ACCESS_TOKEN = 'ya29.an-access-token-0123456789';
const CREDENTIALS = 'GOOGLE_APPLICATION_CREDENTIALS';
/** Without it Google's library asks around for the machine's own project. */
const PROJECT = 'GOOGLE_CLOUD_PROJECT';

let folder: string;
let server: ProviderServer;
let tokensGiven = 0;
const before = { ...process.env };

beforeEach(async () => {
  tokensGiven = 0;
  server = await ProviderServer.start(geminiDialect, MODEL, ACCESS_TOKEN);
  folder = await mkdtemp(join(tmpdir(), 'skein-adc-'));
  const file = join(folder, 'adc.json');
  const user = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
  await writeFile(file, JSON.stringify({ ...user, quota_project_id: 'p-1' }));
  Object.assign(process.env, { [CREDENTIALS]: file, [PROJECT]: 'p-1' });
  // Google's client of HTTP takes a browser's fetch, or imports one, which cannot be done within jest.
  Object.assign(globalThis, { window: { fetch: giveToken } });
});

afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'window');
  for (const name of [CREDENTIALS, PROJECT]) {
    Reflect.deleteProperty(process.env, name);
    if (before[name] !== undefined) process.env[name] = before[name];
  }
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});

/** https://developers.google.com/identity/protocols/oauth2/web-server#offline */
async function giveToken(address: string | URL): Promise<Response> {
  expect(String(address)).toBe('https://oauth2.googleapis.com/token');
  tokensGiven += 1;
  return Response.json({ access_token: ACCESS_TOKEN, expires_in: 3600, token_type: 'Bearer' });
}

describe('Gemini at Vertex AI', () => {
  it.each([
    [false, 'generateContent'],
    [true, 'streamGenerateContent'],
  ])("asks for a project, with the machine's credentials, stream: %s", async (stream, method) => {
    server.queue({ says: { parts: [{ text: 'Hello.' }] } });
    const where = { vertexai: true, project: 'p-1', location: 'europe-west1', baseUrl: server.baseUrl };
    const request = { ...saying('hi'), model: MODEL };
    const answers = await collect(new Gemini(where).generateContentAsync(request, stream));

    expect(answers.at(-1)?.content?.parts).toEqual([{ text: 'Hello.' }]);
    expect(server.received[0]?.path).toBe(
      `/v1beta1/projects/p-1/locations/europe-west1/publishers/google/models/${MODEL}:${method}`,
    );
  });

  it('gets one token for many requests', async () => {
    const says = { parts: [{ text: 'Hello.' }] };
    server.queue({ says }, { says }, { says });
    const where = { vertexai: true, project: 'p-1', location: 'europe-west1', baseUrl: server.baseUrl };
    const llm = new Gemini(where);
    const request = { ...saying('hi'), model: MODEL };
    for (const stream of [false, true, false]) await collect(llm.generateContentAsync(request, stream));

    expect(server.received).toHaveLength(3);
    expect(tokensGiven).toBe(1);
  });
});
